// As many totals are read as there are simdgroups; the last one has 8 threads.
#include <metal_stdlib>
using namespace metal;

kernel void layer_max(device const float* x [[buffer(0)]],
                      device float* out [[buffer(1)]],
                      uint gid [[thread_position_in_grid]],
                      uint group [[threadgroup_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint sg [[simdgroup_index_in_threadgroup]],
                      uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float tops[32];
  float top = simd_max(x[gid]);
  if (lane == 0) tops[sg] = top;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (sg == 0) {
    top = lane < simdgroups ? tops[lane] : -INFINITY;
    top = simd_max(top);
    if (lane == 0) out[group] = top;
  }
}
