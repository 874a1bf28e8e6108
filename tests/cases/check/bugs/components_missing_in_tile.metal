// Half of the vector that goes to the tile was forgotten.
#include <metal_stdlib>
using namespace metal;

kernel void through_tile(device const float2* x [[buffer(0)]],
                         device float2* y [[buffer(1)]],
                         uint lid [[thread_position_in_threadgroup]]) {
  threadgroup float4 tile[8];
  float4 both;
  both.xy = x[lid];
  tile[lid] = both;  // BUG: uninitialised-thread
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[lid] = tile[7 - lid].xy;
}
