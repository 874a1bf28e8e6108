// The logarithm of zero in one lane goes through a shuffle and a sum to the lane that stores.
#include <metal_stdlib>
using namespace metal;

kernel void surprise(device const half* p [[buffer(0)]],
                     device float* y [[buffer(1)]],
                     constant uint& count [[buffer(2)]],
                     uint lane [[thread_index_in_simdgroup]]) {
  float bits = 0;
  for (uint k = lane; k < count; k += 32) {
    bits -= log2(float(p[k]));  // BUG: not-finite
  }
  float2 both(bits, bits * bits);
  both += simd_shuffle_xor(both, 16);
  float2 total = simd_sum(both);
  if (lane == 0) y[0] = 0.5f * total.x;
}
