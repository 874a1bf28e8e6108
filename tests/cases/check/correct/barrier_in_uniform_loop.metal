// The number of rounds depends on the threadgroup, not on the thread.
#include <metal_stdlib>
using namespace metal;

kernel void segment_scan(device const uint* offsets [[buffer(0)]],
                         device int* data [[buffer(1)]],
                         uint segment [[threadgroup_position_in_grid]],
                         uint lid [[thread_position_in_threadgroup]],
                         uint size [[threads_per_threadgroup]]) {
  threadgroup int shared[8];
  uint begin = offsets[segment];
  uint end = offsets[segment + 1];
  int carry = 0;
  for (uint base = begin; base < end; base += size) {
    uint at = base + lid;
    shared[lid] = at < end ? data[at] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int sum = carry;
    for (uint k = 0; k <= lid; ++k) sum += shared[k];
    int all = carry;
    for (uint k = 0; k < size; ++k) all += shared[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (at < end) data[at] = sum;
    carry = all;
  }
}
