// The last threadgroup loads 6 of 32 elements and sums all 32.
#include <metal_stdlib>
using namespace metal;

kernel void block_sums(device const float* x [[buffer(0)]],
                       device float* sums [[buffer(1)]],
                       constant uint& n [[buffer(2)]],
                       uint gid [[thread_position_in_grid]],
                       uint lid [[thread_position_in_threadgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[32];
  if (gid < n) tile[lid] = x[gid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    float sum = 0.0f;
    for (uint k = 0; k < 32; ++k) sum += tile[k];  // BUG: uninitialised-threadgroup
    sums[group] = sum;
  }
}
