// Four simdgroups leave a total each; all 32 slots are summed.
#include <metal_stdlib>
using namespace metal;

kernel void layer_sum(device const float* x [[buffer(0)]],
                      device float* out [[buffer(1)]],
                      uint tid [[thread_index_in_threadgroup]],
                      uint simd_lane_id [[thread_index_in_simdgroup]],
                      uint simd_group_id [[simdgroup_index_in_threadgroup]]) {
  constexpr int SIMD_SIZE = 32;
  threadgroup float local_sums[SIMD_SIZE];
  float acc = simd_sum(x[tid]);
  if (simd_lane_id == 0) local_sums[simd_group_id] = acc;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simd_group_id == 0) {
    acc = simd_sum(local_sums[simd_lane_id]);  // BUG: uninitialised-threadgroup
    if (simd_lane_id == 0) out[0] = acc;
  }
}
