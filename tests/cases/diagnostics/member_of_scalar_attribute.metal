#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out, uint i [[thread_position_in_grid]]) {
  out[i.x] = 1;
}
