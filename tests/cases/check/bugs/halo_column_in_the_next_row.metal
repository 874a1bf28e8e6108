// The tile has room for the halo rows but not for the halo columns: [8] of a row of 8 is the next
// row's first element, inside of the tile.
#include <metal_stdlib>
using namespace metal;

kernel void blur(device const float* in [[buffer(0)]],
                 device float* out [[buffer(1)]],
                 constant uint& width [[buffer(2)]],
                 uint2 gid [[thread_position_in_grid]],
                 uint2 lid [[thread_position_in_threadgroup]]) {
  threadgroup float tile[10][8];
  tile[lid.y][lid.x] = in[gid.y * width + gid.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = tile[lid.y][lid.x];
  if (lid.y < 7) sum += tile[lid.y][lid.x + 1];  // BUG: bounds-read
  out[gid.y * width + gid.x] = sum;
}
