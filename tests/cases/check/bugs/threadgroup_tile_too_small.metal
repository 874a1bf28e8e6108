// The tile was sized for 32 threads; the launch uses 64.
#include <metal_stdlib>
using namespace metal;

kernel void reverse_blocks(device const int* in [[buffer(0)]],
                           device int* out [[buffer(1)]],
                           uint gid [[thread_position_in_grid]],
                           uint lid [[thread_position_in_threadgroup]],
                           uint width [[threads_per_threadgroup]]) {
  threadgroup int tile[32];
  tile[lid] = in[gid];  // BUG: bounds-write
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[gid] = tile[width - 1 - lid];  // BUG: bounds-read (uninitialised-threadgroup)
}
