// Threads behind the end help to load and leave after the barrier.
#include <metal_stdlib>
using namespace metal;

kernel void swap_halves(device const uint* in [[buffer(0)]],
                        device uint* out [[buffer(1)]],
                        constant uint& n [[buffer(2)]],
                        uint gid [[thread_position_in_grid]],
                        uint lid [[thread_position_in_threadgroup]]) {
  threadgroup uint tile[16];
  tile[lid] = in[min(gid, n - 1)];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (gid >= n) return;
  out[gid] = tile[lid ^ 8u];
}
