// Lanes without a score bring minus infinity to the maximum; in the last row all of them do.
#include <metal_stdlib>
using namespace metal;

kernel void row_softmax(device const float* scores [[buffer(0)]],
                        device float* weights [[buffer(1)]],
                        device float* tops [[buffer(2)]],
                        constant uint* widths [[buffer(3)]],
                        uint row [[threadgroup_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]]) {
  const uint width = widths[row];
  float score = lane < width ? scores[row * 32 + lane] : -INFINITY;
  float top = simd_max(score);
  float weight = lane < width ? exp(score - top) : 0.0f;
  float sum = simd_sum(weight);
  weights[row * 32 + lane] = sum > 0.0f ? weight / sum : 0.0f;
  if (lane == 0) tops[row] = top;
}
