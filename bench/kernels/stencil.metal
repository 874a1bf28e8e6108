// 5-point stencil: a threadgroup of 16x16 stages its tile and a halo of one; outside is 0.
#include <metal_stdlib>
using namespace metal;

kernel void stencil(const device float* x [[buffer(0)]], device float* y [[buffer(1)]],
                    constant uint& width [[buffer(2)]], constant uint& height [[buffer(3)]],
                    uint2 at [[thread_position_in_grid]],
                    uint2 thread_at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[18][18];
  uint tx = thread_at.x + 1;
  uint ty = thread_at.y + 1;
  uint center = at.y * width + at.x;
  tile[ty][tx] = x[center];
  if (thread_at.x == 0) tile[ty][0] = at.x > 0 ? x[center - 1] : 0;
  if (thread_at.x == 15) tile[ty][17] = at.x + 1 < width ? x[center + 1] : 0;
  if (thread_at.y == 0) tile[0][tx] = at.y > 0 ? x[center - width] : 0;
  if (thread_at.y == 15) tile[17][tx] = at.y + 1 < height ? x[center + width] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float neighbours = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
  y[center] = 0.5f * tile[ty][tx] + 0.125f * neighbours;
}
