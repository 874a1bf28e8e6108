// The buffer itself is bound four bytes into an array; the cast to float2 needs eight.
#include <metal_stdlib>
using namespace metal;

kernel void magnitudes(device const float* z [[buffer(0)]],
                       device float* r [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  device const float2* pairs = (device const float2*)z;
  r[i] = length(pairs[i]);  // BUG: misaligned-access
}
