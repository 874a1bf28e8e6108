// The gate overflows on its way to 0, which is fine; what is stored comes from the logarithm.
#include <metal_stdlib>
using namespace metal;

kernel void gated_log(device const float* activation [[buffer(0)]],
                      device const float* count [[buffer(1)]],
                      device float* out [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  float gate = 1.0f / (1.0f + exp(-activation[i]));
  float rate = select(0.0f, 1.0f / count[i], count[i] > 0.0f);
  float entropy = log(count[i]);  // BUG: not-finite
  out[i] = gate * 0.5f + rate + entropy;
}
