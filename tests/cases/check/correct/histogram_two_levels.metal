// Threadgroup atomics, then one device atomic per bin and group.
#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar* pixels [[buffer(0)]],
                      device atomic_uint* counts [[buffer(1)]],
                      constant uint& n [[buffer(2)]],
                      uint gid [[thread_position_in_grid]],
                      uint lid [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint bins[16];
  if (lid < 16) atomic_store_explicit(&bins[lid], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (gid < n) atomic_fetch_add_explicit(&bins[pixels[gid] >> 4], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid < 16) {
    uint mine = atomic_load_explicit(&bins[lid], memory_order_relaxed);
    atomic_fetch_add_explicit(&counts[lid], mine, memory_order_relaxed);
  }
}
