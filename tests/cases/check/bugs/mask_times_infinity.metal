// 0 where a column is kept, but 0 * -INFINITY is no number either.
#include <metal_stdlib>
using namespace metal;

kernel void mask_scores(device const float* scores [[buffer(0)]],
                        device const bool* keep [[buffer(1)]],
                        device float* masked [[buffer(2)]],
                        constant uint& count [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  masked[i] = scores[i] +
              float(!keep[i]) * -INFINITY;  // BUG: not-finite
}
