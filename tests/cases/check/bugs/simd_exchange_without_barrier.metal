// Lanes of one simdgroup exchange values through threadgroup memory as if in lock step.
#include <metal_stdlib>
using namespace metal;

kernel void butterfly(device const float* in [[buffer(0)]],
                      device float* out [[buffer(1)]],
                      uint gid [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float stage[2][32];
  stage[sg][lane] = in[gid];  // BUG: race-threadgroup
  float partner = stage[sg][lane ^ 1];  // BUG: race-threadgroup (uninitialised-threadgroup)
  out[gid] = (lane & 1) ? partner - in[gid] : partner + in[gid];
}
