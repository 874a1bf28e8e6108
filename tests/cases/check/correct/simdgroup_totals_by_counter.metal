// Totals and counter in threadgroup memory: whoever counts last sees them all behind the fences.
#include <metal_stdlib>
using namespace metal;

kernel void largest(device const int* values [[buffer(0)]],
                    device int* result [[buffer(1)]],
                    uint gid [[thread_position_in_grid]],
                    uint lid [[thread_position_in_threadgroup]],
                    uint group [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint sg [[simdgroup_index_in_threadgroup]],
                    uint sgs [[simdgroups_per_threadgroup]]) {
  threadgroup int totals[8];
  threadgroup atomic_int left;
  if (lid == 0) atomic_store_explicit(&left, int(sgs), memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int best = simd_max(values[gid]);
  if (lane != 0) return;
  totals[sg] = best;
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_release, thread_scope_threadgroup);
  if (atomic_fetch_sub_explicit(&left, 1, memory_order_relaxed) != 1) return;
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_acquire, thread_scope_threadgroup);
  for (uint k = 0; k < sgs; ++k) best = max(best, totals[k]);
  result[group] = best;
}
