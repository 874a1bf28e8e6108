// Both threads of a pair swap the same two elements.
#include <metal_stdlib>
using namespace metal;

kernel void transpose_tile(device const float* in [[buffer(0)]],
                           device float* out [[buffer(1)]],
                           uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float tile[8][8];
  tile[p.y][p.x] = in[p.y * 8 + p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  tile[p.y][p.x] = tile[p.x][p.y];  // BUG: race-threadgroup
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[p.y * 8 + p.x] = tile[p.y][p.x];
}
