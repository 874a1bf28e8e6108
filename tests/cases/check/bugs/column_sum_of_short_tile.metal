// The loop goes down sixteen rows of a tile that has fifteen.
#include <metal_stdlib>
using namespace metal;

kernel void column_sum_of_short_tile(device const float* x [[buffer(0)]],
                                     device float* out [[buffer(1)]],
                                     uint2 at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[15][16];
  if (at.y < 15) tile[at.y][at.x] = x[at.y * 16 + at.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint row = 0; row < 16; ++row) sum += tile[row][at.x];  // BUG: bounds-read
  if (at.y == 0) out[at.x] = sum;
}
