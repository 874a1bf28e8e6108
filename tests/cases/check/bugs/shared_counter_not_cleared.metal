// The threadgroup's counter starts with whatever is there.
#include <metal_stdlib>
using namespace metal;

kernel void count_hits(device const float* x [[buffer(0)]],
                       device uint* hits [[buffer(1)]],
                       uint gid [[thread_position_in_grid]],
                       uint lid [[thread_index_in_threadgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup atomic_int counter;
  if (x[gid] > 0.5f) atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);  // BUG: uninitialised-threadgroup
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) hits[group] = uint(atomic_load_explicit(&counter, memory_order_relaxed));  // BUG: (uninitialised-threadgroup)
}
