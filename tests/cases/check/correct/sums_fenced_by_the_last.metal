// Results that were made by atomics are read plainly by the last threadgroup, behind its fence.
#include <metal_stdlib>
using namespace metal;

kernel void total(device const int* x [[buffer(0)]],
                  device atomic_int* bins [[buffer(1)]],
                  device atomic_uint* done [[buffer(2)]],
                  device int* largest [[buffer(3)]],
                  uint i [[thread_position_in_grid]],
                  uint at [[thread_position_in_threadgroup]],
                  uint groups [[threadgroups_per_grid]]) {
  atomic_fetch_add_explicit(&bins[x[i] % 3], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_device);
  if (at != 0) return;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  if (atomic_fetch_add_explicit(done, 1u, memory_order_relaxed) + 1 != groups) return;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  device const int* counts = (device const int*)bins;
  largest[0] = max(counts[0], max(counts[1], counts[2]));
}
