// The last thread of the threadgroup loads behind the tile, and the thread-local table is left by
// those that do not use it.
#include <metal_stdlib>
using namespace metal;

kernel void slopes(device const short* x [[buffer(0)]],
                   device short* y [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   ushort lid [[thread_index_in_threadgroup]]) {
  threadgroup short tile[48];
  short steps[3] = {1, 2, 4};
  steps[x[0] & 1] = 8;
  tile[lid] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  short right = tile[lid + 1];  // BUG: bounds-read
  short step = steps[lid];      // BUG: bounds-read
  if (lid < 47) y[i] = right - tile[lid];
  if (lid < 3) y[i] += step;
}
