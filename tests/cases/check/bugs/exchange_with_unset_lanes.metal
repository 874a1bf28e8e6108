// The neighbours of even lanes have no value to give.
#include <metal_stdlib>
using namespace metal;

kernel void exchange(device const float2* x [[buffer(0)]],
                     device float2* y [[buffer(1)]],
                     uint i [[thread_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  float2 value;
  if (lane % 2 == 0) value = x[i];
  y[i] = 2.0f * simd_shuffle_xor(value, 1);  // BUG: uninitialised-thread
}
