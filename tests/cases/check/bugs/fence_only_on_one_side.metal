// The writer fences, the reader of the flag does not.
#include <metal_stdlib>
using namespace metal;

kernel void hand_over(device int* payload [[buffer(0)]],
                      device atomic_uint* ready [[buffer(1)]],
                      device int* out [[buffer(2)]],
                      uint group [[threadgroup_position_in_grid]],
                      uint lid [[thread_position_in_threadgroup]]) {
  if (lid != 0) return;
  if (group == 0) {
    payload[0] = 41;  // BUG: race-device
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
    atomic_store_explicit(ready, 1u, memory_order_relaxed);
    out[0] = 1;
  } else {
    uint seen = atomic_load_explicit(ready, memory_order_relaxed);
    int value = payload[0];  // BUG: race-device
    out[group] = seen == 1u ? value : 0;
  }
}
