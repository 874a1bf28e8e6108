// More threadgroups than work: the last ones do nothing at all.
#include <metal_stdlib>
using namespace metal;

kernel void blocks(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   constant uint& n [[buffer(2)]],
                   uint lid [[thread_position_in_threadgroup]],
                   uint group [[threadgroup_position_in_grid]],
                   uint size [[threads_per_threadgroup]]) {
  threadgroup float tile[20];
  uint base = group * size;
  uint count = base < n ? min(size, n - base) : 0;
  if (lid < count) tile[lid] = x[base + lid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid < count) y[base + lid] = tile[count - 1 - lid];
}
