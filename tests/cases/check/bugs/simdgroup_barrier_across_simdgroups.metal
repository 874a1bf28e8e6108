// simdgroup_barrier where four simdgroups share the array.
#include <metal_stdlib>
using namespace metal;

kernel void norm(device const float* v [[buffer(0)]],
                 device float* result [[buffer(1)]],
                 uint tid [[thread_index_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint sgitg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float partial[4];
  float s = simd_sum(v[tid] * v[tid]);
  if (lane == 0) partial[sgitg] = s;  // BUG: race-threadgroup
  simdgroup_barrier(mem_flags::mem_threadgroup);
  if (tid == 0) {
    result[0] = sqrt(partial[0] + partial[1] + partial[2] + partial[3]);  // BUG: race-threadgroup (uninitialised-threadgroup)
  }
}
