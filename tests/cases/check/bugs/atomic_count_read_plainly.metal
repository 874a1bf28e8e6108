// The counter is updated atomically, but read through a plain pointer without a barrier.
#include <metal_stdlib>
using namespace metal;

kernel void any_negative(device const float* x [[buffer(0)]],
                         device uint* flags [[buffer(1)]],
                         uint gid [[thread_position_in_grid]],
                         uint lid [[thread_index_in_threadgroup]],
                         uint group [[threadgroup_position_in_grid]]) {
  threadgroup atomic_uint count;
  if (lid == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[gid] < 0.0f) {
    atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed);  // BUG: race-threadgroup
  }
  if (lid == 0) {
    flags[group] = *(threadgroup uint*)&count;  // BUG: race-threadgroup
  }
}
