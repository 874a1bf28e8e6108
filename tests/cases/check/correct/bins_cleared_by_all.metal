// Rounds that all threads clear together, with a barrier on either side of the counting.
#include <metal_stdlib>
using namespace metal;

kernel void digits(device const uint* keys [[buffer(0)]],
                   device uint* counts [[buffer(1)]],
                   device atomic_uint* seen [[buffer(2)]],
                   uint lid [[thread_position_in_threadgroup]],
                   uint size [[threads_per_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  threadgroup atomic_uint bins[16];
  threadgroup atomic_uint largest;
  for (uint shift = 0; shift < 12; shift += 4) {
    atomic_store_explicit(&bins[lid % 16], 0u, memory_order_relaxed);
    atomic_store_explicit(&largest, 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint digit = keys[lid] >> shift & 15;
    uint before = atomic_fetch_add_explicit(&bins[digit], 1u, memory_order_relaxed);
    atomic_fetch_max_explicit(&largest, before, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_none);
    uint most = atomic_load_explicit(&largest, memory_order_relaxed) + 1;
    if (lid < 16) {
      uint count = atomic_load_explicit(&bins[lid], memory_order_relaxed);
      counts[shift * 4 + lid] = count * 100 + most;
    }
    threadgroup_barrier(mem_flags::mem_none);
  }
  if (lid == 0) atomic_store_explicit(seen, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) atomic_fetch_add_explicit(seen, size, memory_order_relaxed);
}
