// The 17th column only keeps banks apart; nobody writes it.
#include <metal_stdlib>
using namespace metal;

kernel void row_sums(device const float* m [[buffer(0)]],
                     device float* sums [[buffer(1)]],
                     uint2 lid [[thread_position_in_threadgroup]]) {
  threadgroup float tile[8][17];
  tile[lid.y][lid.x] = m[lid.y * 16 + lid.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid.x == 0) {
    float s = 0.0f;
    for (uint c = 0; c < 17; ++c) s += tile[lid.y][c];  // BUG: uninitialised-threadgroup
    sums[lid.y] = s;
  }
}
