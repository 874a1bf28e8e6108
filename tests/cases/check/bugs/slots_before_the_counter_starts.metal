// One thread sets the counter of the threadgroup, others already take slots.
#include <metal_stdlib>
using namespace metal;

kernel void pick_odd(device const uint* keys [[buffer(0)]],
                     device uint* picked [[buffer(1)]],
                     device uint* totals [[buffer(2)]],
                     uint gid [[thread_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]],
                     uint size [[threads_per_threadgroup]]) {
  threadgroup atomic_uint taken;
  uint key = keys[gid];
  if (lid == 0) atomic_store_explicit(&taken, 0u, memory_order_relaxed);  // BUG: race-threadgroup
  if ((key & 1) != 0) {
    uint slot =
        atomic_fetch_add_explicit(&taken, 1u, memory_order_relaxed);  // BUG: race-threadgroup
    picked[group * size + slot] = key;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) totals[group] = atomic_load_explicit(&taken, memory_order_relaxed);
}
