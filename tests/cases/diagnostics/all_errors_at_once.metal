#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out) {
  out[0] = one;
  out[1] = two;
  int x = "three";
}
kernel void l(device float* out) { out[0] = four; }
