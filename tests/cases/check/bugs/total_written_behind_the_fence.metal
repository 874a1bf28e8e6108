// Threadgroups add up in turn, but the sum is written between the fence and the handing over.
#include <metal_stdlib>
using namespace metal;

kernel void running_total(device const float* x [[buffer(0)]],
                          device float* total [[buffer(1)]],
                          device atomic_uint* turn [[buffer(2)]],
                          uint group [[threadgroup_position_in_grid]],
                          uint at [[thread_position_in_threadgroup]]) {
  if (at != 0) return;
  while (atomic_load_explicit(turn, memory_order_relaxed) != group) {
  }
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  total[0] += x[group];  // BUG: race-update | race-device
  atomic_store_explicit(turn, group + 1, memory_order_relaxed);
}
