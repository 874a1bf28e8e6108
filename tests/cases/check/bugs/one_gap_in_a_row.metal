// One lane in the middle of a simdgroup leaves its place in the tile without a value.
#include <metal_stdlib>
using namespace metal;

kernel void one_gap_in_a_row(device const float* x [[buffer(0)]], device float* out [[buffer(1)]],
                             uint i [[thread_position_in_grid]],
                             uint lid [[thread_position_in_threadgroup]]) {
  threadgroup float tile[64];
  if (lid != 49) tile[lid] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[lid] + 1;  // BUG: uninitialised-threadgroup
}
