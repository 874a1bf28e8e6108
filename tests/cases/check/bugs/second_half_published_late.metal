// Within a threadgroup: the first half is in front of the fence, the second half behind it.
#include <metal_stdlib>
using namespace metal;

kernel void hand_over(device const float* x [[buffer(0)]],
                      device float* y [[buffer(1)]],
                      uint at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[2];
  threadgroup atomic_uint ready;
  if (at == 0) atomic_store_explicit(&ready, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (at == 0) {
    tile[0] = x[0];
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    tile[1] = x[1];  // BUG: race-threadgroup
    atomic_store_explicit(&ready, 1u, memory_order_relaxed);
  }
  if (at == 40) {
    while (atomic_load_explicit(&ready, memory_order_relaxed) == 0) {
    }
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    y[0] = tile[0] +
           tile[1];  // BUG: race-threadgroup
  }
}
