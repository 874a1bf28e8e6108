// x >> (32 - n) with n = 0.
#include <metal_stdlib>
using namespace metal;

kernel void rotl(device const uint* x [[buffer(0)]],
                 device const uint* n [[buffer(1)]],
                 device uint* y [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  uint left = x[i] << n[i];
  uint right = x[i] >> (32 - n[i]);  // BUG: shift-out-of-range
  y[i] = left | right;
}
