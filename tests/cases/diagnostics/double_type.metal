#include <metal_stdlib>
using namespace metal;
kernel void k(device double* out, uint i [[thread_position_in_grid]]) {
  out[i] = 1;
}
