// Decoupled scan: tiles in the order in which they start, each waits for its predecessor's prefix.
#include <metal_stdlib>
using namespace metal;

kernel void scan(device const uint* in [[buffer(0)]],
                 device uint* out [[buffer(1)]],
                 device atomic_uint* ticket [[buffer(2)]],
                 device atomic_uint* ready [[buffer(3)]],
                 device uint* prefix [[buffer(4)]],
                 uint lane [[thread_index_in_simdgroup]]) {
  uint tile = 0;
  if (lane == 0) tile = atomic_fetch_add_explicit(ticket, 1u, memory_order_relaxed);
  tile = simd_broadcast_first(tile);
  uint value = in[tile * 32 + lane];
  uint inclusive = simd_prefix_inclusive_sum(value);
  uint total = simd_sum(value);
  uint before = 0;
  if (lane == 0) {
    if (tile > 0) {
      while (atomic_load_explicit(&ready[tile - 1], memory_order_relaxed) == 0u) {
      }
      atomic_thread_fence(mem_flags::mem_device, memory_order_acquire, thread_scope_device);
      before = prefix[tile - 1];
    }
    prefix[tile] = before + total;
    atomic_thread_fence(mem_flags::mem_device, memory_order_release, thread_scope_device);
    atomic_store_explicit(&ready[tile], 1u, memory_order_relaxed);
  }
  before = simd_broadcast_first(before);
  out[tile * 32 + lane] = before + inclusive;
}
