// Threads behind the end leave before the barrier.
#include <metal_stdlib>
using namespace metal;

kernel void swap_halves(device const uint* in [[buffer(0)]],
                        device uint* out [[buffer(1)]],
                        constant uint& n [[buffer(2)]],
                        uint gid [[thread_position_in_grid]],
                        uint lid [[thread_position_in_threadgroup]]) {
  threadgroup uint tile[16];
  if (gid >= n) return;
  tile[lid] = in[gid];
  threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
  out[gid] = tile[lid] + lid;
}
