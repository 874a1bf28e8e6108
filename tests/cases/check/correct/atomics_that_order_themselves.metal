// Stores beside updates of the same atomics that need no barrier in between: a lock, a counter that
// the last to arrive resets, a flag that several raise in their own ways, a running count.
#include <metal_stdlib>
using namespace metal;

kernel void all_kinds(device const uint* x [[buffer(0)]],
                      device uint* y [[buffer(1)]],
                      device atomic_uint* total [[buffer(2)]],
                      uint lid [[thread_position_in_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint sg [[simdgroup_index_in_threadgroup]],
                      uint sgs [[simdgroups_per_threadgroup]]) {
  threadgroup atomic_uint lock, arrived, raised, running, own[4];
  threadgroup uint sum;
  if (lid == 0) {
    sum = 0;
    atomic_store_explicit(&lock, 0u, memory_order_relaxed);
    atomic_store_explicit(&arrived, 0u, memory_order_relaxed);
    atomic_store_explicit(&raised, 1u, memory_order_relaxed);
    atomic_store_explicit(&running, 0u, memory_order_relaxed);
    atomic_store_explicit(total, 0u, memory_order_relaxed);
  }
  if (lane == 0) atomic_store_explicit(&own[sg], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_none);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (lane == 0) {
    while ((atomic_fetch_or_explicit(&lock, 1u, memory_order_relaxed) & 1) != 0) {
    }
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    sum += x[lid];
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    atomic_store_explicit(&lock, 0u, memory_order_relaxed);

    if (atomic_fetch_add_explicit(&arrived, 1u, memory_order_relaxed) == sgs - 1) {
      atomic_store_explicit(&arrived, 0u, memory_order_relaxed);
    }
  }
  if (x[lid] == 7) atomic_store_explicit(&raised, 0u, memory_order_relaxed);
  if (x[lid] < 99) atomic_fetch_and_explicit(&raised, 1u, memory_order_relaxed);
  if (atomic_load_explicit(&running, memory_order_relaxed) < 50) {
    atomic_fetch_add_explicit(&running, 1u, memory_order_relaxed);
  }
  atomic_fetch_add_explicit(&own[sg], x[lid] & 1, memory_order_relaxed);
  atomic_fetch_add_explicit(total, x[lid], memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[lid] = sum + atomic_load_explicit(&raised, memory_order_relaxed) +
           atomic_load_explicit(&own[sg], memory_order_relaxed);
}
