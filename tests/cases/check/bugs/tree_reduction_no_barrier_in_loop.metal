// The tree's levels are not separated.
#include <metal_stdlib>
using namespace metal;

kernel void reduce_sum(device const float* in [[buffer(0)]],
                       device float* out [[buffer(1)]],
                       uint gid [[thread_position_in_grid]],
                       uint tid [[thread_position_in_threadgroup]],
                       uint bid [[threadgroup_position_in_grid]],
                       uint bdim [[threads_per_threadgroup]]) {
  threadgroup float sdata[128];
  sdata[tid] = in[gid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = bdim / 2; s > 0; s >>= 1) {
    if (tid < s) {
      sdata[tid] += sdata[tid + s];  // BUG: race-threadgroup
    }
  }
  if (tid == 0) out[bid] = sdata[0];
}
