// The index of the maximum is an output per row, but only group 0 stores it.
#include <metal_stdlib>
using namespace metal;

kernel void argmax_rows(device const float* m [[buffer(0)]],
                        device float* values [[buffer(1)]],
                        device uint* indices [[buffer(2)]],  // BUG: output-unwritten
                        constant uint& width [[buffer(3)]],
                        uint row [[threadgroup_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint gid [[thread_position_in_grid]]) {
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
  if (lane == 0) values[row] = top;
  if (gid == 0) indices[row] = first;
}
