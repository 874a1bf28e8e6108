#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out, const device float* values, uint i [[thread_position_in_grid]]) {
  out[i] = value[i] + scale;
}
