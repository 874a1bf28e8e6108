// Value, index and flag per row.
#include <metal_stdlib>
using namespace metal;

kernel void argmax_rows(device const float* m [[buffer(0)]],
                        device float* values [[buffer(1)]],
                        device uint* indices [[buffer(2)]],
                        device bool* positive [[buffer(3)]],
                        constant uint& width [[buffer(4)]],
                        uint row [[threadgroup_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]]) {
  float best = -INFINITY;
  uint at = 0;
  for (uint c = lane; c < width; c += 32) {
    if (m[row * width + c] > best) {
      best = m[row * width + c];
      at = c;
    }
  }
  float top = simd_max(best);
  uint first = simd_min(best == top ? at : 0xFFFFFFFFu);
  if (lane == 0) {
    values[row] = top;
    indices[row] = first;
    positive[row] = top > 0.0f;
  }
}
