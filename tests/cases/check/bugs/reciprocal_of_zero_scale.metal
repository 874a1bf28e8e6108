// Quantisation of a block of zeros: its scale is zero.
#include <metal_stdlib>
using namespace metal;

inline float inverse(float d) {
  return 1.0f / d;  // BUG: not-finite
}

kernel void quantise_scales(device const float* x [[buffer(0)]],
                            device float* inverse_scale [[buffer(1)]],
                            constant uint& block [[buffer(2)]],
                            uint b [[thread_position_in_grid]]) {
  float amax = 0.0f;
  for (uint k = 0; k < block; ++k) amax = max(amax, abs(x[b * block + k]));
  inverse_scale[b] = inverse(amax / 127.0f);  // BUG: not-finite
}
