// The same with a whole threadgroup reading what the others left; a shared flag says who is last.
#include <metal_stdlib>
using namespace metal;

kernel void column_totals(device const float* x [[buffer(0)]],
                          device float* partial [[buffer(1)]],
                          device atomic_uint* done [[buffer(2)]],
                          device float* total [[buffer(3)]],
                          uint lid [[thread_index_in_threadgroup]],
                          uint gid [[thread_position_in_grid]],
                          uint groups [[threadgroups_per_grid]],
                          uint size [[threads_per_threadgroup]]) {
  threadgroup bool is_last;
  partial[gid] = x[gid] * 2.0f;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (lid == 0) {
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
    is_last = atomic_fetch_add_explicit(done, 1u, memory_order_relaxed) == groups - 1;
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  }
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  if (!is_last) return;
  float sum = 0.0f;
  for (uint g = 0; g < groups; ++g) sum += partial[g * size + lid];
  total[lid] = sum;
}
