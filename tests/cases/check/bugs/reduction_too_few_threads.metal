// One threadgroup per row is needed; the grid has the rows, not rows times threads.
#include <metal_stdlib>
using namespace metal;

kernel void row_mean(device const float* rows [[buffer(0)]],
                     device float* means [[buffer(1)]],  // BUG: output-unwritten
                     constant uint& width [[buffer(2)]],
                     uint row [[threadgroup_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]]) {
  threadgroup float shared[32];
  float s = 0.0f;
  for (uint c = lid; c < width; c += size) s += rows[row * width + c];
  shared[lid] = s;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    float total = 0.0f;
    for (uint k = 0; k < size; ++k) total += shared[k];
    means[row] = total / width;
  }
}
