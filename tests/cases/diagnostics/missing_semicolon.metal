#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out, uint i [[thread_position_in_grid]]) {
  float x = out[i]
  out[i] = x * 2;
}
