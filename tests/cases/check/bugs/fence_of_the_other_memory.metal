// The totals are in threadgroup memory, the fences order device memory.
#include <metal_stdlib>
using namespace metal;

kernel void mean(device const float* x [[buffer(0)]],
                 device float* y [[buffer(1)]],
                 uint lid [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[3];
  threadgroup atomic_uint arrived;
  if (lid == 0) atomic_store_explicit(&arrived, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float s = simd_sum(x[lid]);
  if (lane != 0) return;
  totals[sg] = s;  // BUG: race-threadgroup
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_threadgroup);
  if (atomic_fetch_add_explicit(&arrived, 1u, memory_order_relaxed) == 2) {
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_threadgroup);
    y[0] = (totals[0] + totals[1] + totals[2]) / 96.0f;  // BUG: race-threadgroup
  }
}
