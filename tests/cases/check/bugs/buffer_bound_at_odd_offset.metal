// The buffer itself is bound four bytes into an array; float2 needs eight.
#include <metal_stdlib>
using namespace metal;

kernel void magnitudes(device const float2* z [[buffer(0)]],
                       device float* r [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  r[i] = length(z[i]);  // BUG: misaligned-access
}
