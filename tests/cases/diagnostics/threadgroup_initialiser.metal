#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out) {
  threadgroup float sum = 0;
  out[0] = sum;
}
