// The writer's fence only waits for others, it publishes nothing.
#include <metal_stdlib>
using namespace metal;

kernel void last_group(device const float* x [[buffer(0)]],
                       device float* parts [[buffer(1)]],
                       device atomic_uint* done [[buffer(2)]],
                       device float* y [[buffer(3)]],
                       uint gid [[thread_position_in_grid]],
                       uint lid [[thread_position_in_threadgroup]],
                       uint group [[threadgroup_position_in_grid]],
                       uint groups [[threadgroups_per_grid]]) {
  float s = simd_max(x[gid]);
  if (lid != 0) return;
  parts[group] = s;  // BUG: race-device
  atomic_thread_fence(mem_flags::mem_device, memory_order_acquire, thread_scope_device);
  if (atomic_fetch_add_explicit(done, 1u, memory_order_relaxed) != groups - 1) return;
  atomic_thread_fence(mem_flags::mem_device, memory_order_acquire, thread_scope_device);
  for (uint k = 0; k < groups; ++k) s = max(s, parts[k]);  // BUG: race-device
  y[0] = s;
}
