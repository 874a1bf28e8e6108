// Results go into the tile while others still sum its columns.
#include <metal_stdlib>
using namespace metal;

kernel void tile_row_read_while_written(device const float* x [[buffer(0)]],
                                        device float* out [[buffer(1)]],
                                        uint2 at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16][16];
  tile[at.y][at.x] = x[at.y * 16 + at.x];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 16; ++k) sum += tile[at.y][k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 16; ++k) sum += tile[k][at.x];  // BUG: race-threadgroup
  tile[at.x][at.y] = sum;  // BUG: race-threadgroup
  out[at.y * 16 + at.x] = sum;
}
