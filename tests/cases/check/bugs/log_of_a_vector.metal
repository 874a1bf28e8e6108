// The logarithm of four numbers at a time, some of which are below zero.
#include <metal_stdlib>
using namespace metal;

kernel void entropies(device const float4* p [[buffer(0)]],
                      device half4* out [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  float4 terms = p[i] * log(p[i]);  // BUG: not-finite
  out[i] = half4(terms);
}
