#include <metal_stdlib>
using namespace metal;
struct own {};
kernel void k(const device float* x, device float* out, uint i [[thread_position_in_grid]]) {
  out[i] = x[i] + access;
  out[i] += filter[i];
  out[i] *= own;
}
