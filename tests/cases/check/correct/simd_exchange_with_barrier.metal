// Lanes of one simdgroup exchange through threadgroup memory behind simdgroup_barrier.
#include <metal_stdlib>
using namespace metal;

kernel void butterfly(device const float* in [[buffer(0)]],
                      device float* out [[buffer(1)]],
                      uint gid [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float stage[4][32];
  stage[sg][lane] = in[gid];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  float partner = stage[sg][lane ^ 1];
  out[gid] = (lane & 1) ? partner - in[gid] : partner + in[gid];
}
