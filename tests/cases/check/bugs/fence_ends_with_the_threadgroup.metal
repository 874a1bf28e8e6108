// Threadgroups hand each other a running sum, but the fences reach no further than one of them.
#include <metal_stdlib>
using namespace metal;

kernel void running_sum(device const uint* x [[buffer(0)]],
                        device uint* sums [[buffer(1)]],
                        device atomic_uint* ready [[buffer(2)]],
                        uint group [[threadgroup_position_in_grid]],
                        uint lid [[thread_position_in_threadgroup]]) {
  if (lid != 0) return;
  uint before = 0;
  if (group > 0) {
    while (atomic_load_explicit(&ready[group - 1], memory_order_relaxed) == 0u) {
    }
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_threadgroup);
    before = sums[group - 1];  // BUG: race-device
  }
  sums[group] = before + x[group];  // BUG: race-device
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_threadgroup);
  atomic_store_explicit(&ready[group], 1u, memory_order_relaxed);
}
