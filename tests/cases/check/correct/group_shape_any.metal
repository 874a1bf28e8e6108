// The same kernel in a group of 8x4: only the thread's index in its group counts.
#include <metal_stdlib>
using namespace metal;

kernel void block_range(device const int* x [[buffer(0)]],
                        device int2* ranges [[buffer(1)]],
                        constant uint& n [[buffer(2)]],
                        uint index [[thread_index_in_threadgroup]],
                        uint3 size [[threads_per_threadgroup]],
                        uint3 group [[threadgroup_position_in_grid]],
                        uint3 groups [[threadgroups_per_grid]]) {
  threadgroup atomic_int low;
  threadgroup atomic_int high;
  if (index == 0) {
    atomic_store_explicit(&low, INT_MAX, memory_order_relaxed);
    atomic_store_explicit(&high, INT_MIN, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint block = (group.z * groups.y + group.y) * groups.x + group.x;
  uint at = block * size.x * size.y * size.z + index;
  if (at < n) {
    atomic_fetch_min_explicit(&low, x[at], memory_order_relaxed);
    atomic_fetch_max_explicit(&high, x[at], memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (index == 0) {
    ranges[block] = int2(atomic_load_explicit(&low, memory_order_relaxed),
                         atomic_load_explicit(&high, memory_order_relaxed));
  }
}
