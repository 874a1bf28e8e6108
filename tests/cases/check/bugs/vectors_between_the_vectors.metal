// Rows of three numbers, read four at a time: told, and read all the same.
#include <metal_stdlib>
using namespace metal;

kernel void row_sums(device const float* rows [[buffer(0)]],
                     device float* y [[buffer(1)]],
                     constant uint& width [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  device const float4* row = (device const float4*)(rows + i * width);
  float4 v = row[0];  // BUG: misaligned-access
  y[i] = v.x + v.y + v.z + v.w;
  threadgroup float4 kept[4];
  kept[i] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (kept[i].w != v.w) y[100000] = 0;  // not reached if the value came through
}
