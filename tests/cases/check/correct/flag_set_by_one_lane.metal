// One lane in the middle of a simdgroup sets what everybody reads.
#include <metal_stdlib>
using namespace metal;

kernel void flag_set_by_one_lane(device const float* x [[buffer(0)]],
                                 device float* out [[buffer(1)]],
                                 uint i [[thread_position_in_grid]],
                                 uint lid [[thread_position_in_threadgroup]]) {
  threadgroup float flag[1];
  if (lid == 37) flag[0] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = x[i] * flag[0];
}
