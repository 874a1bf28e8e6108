// Whole threadgroups behind the end leave before the barrier.
#include <metal_stdlib>
using namespace metal;

kernel void row_sums(device const float* m [[buffer(0)]],
                     device float* sums [[buffer(1)]],
                     constant uint& rows [[buffer(2)]],
                     constant uint& width [[buffer(3)]],
                     uint row [[threadgroup_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]]) {
  if (row >= rows) return;
  threadgroup float part[24];
  float s = 0.0f;
  for (uint c = lid; c < width; c += size) s += m[row * width + c];
  part[lid] = s;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    float total = 0.0f;
    for (uint k = 0; k < size; ++k) total += part[k];
    sums[row] = total;
  }
}
