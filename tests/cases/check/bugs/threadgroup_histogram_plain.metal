// Plain increments of shared bins.
#include <metal_stdlib>
using namespace metal;

kernel void histogram_local(device const uchar* pixels [[buffer(0)]],
                            device atomic_uint* counts [[buffer(1)]],
                            constant uint& n [[buffer(2)]],
                            uint gid [[thread_position_in_grid]],
                            uint lid [[thread_position_in_threadgroup]]) {
  threadgroup uint bins[16];
  if (lid < 16) bins[lid] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (gid < n) {
    bins[pixels[gid] >> 4]++;  // BUG: race-update
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid < 16) atomic_fetch_add_explicit(&counts[lid], bins[lid], memory_order_relaxed);
}
