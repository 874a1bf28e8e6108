// Rows divided by their root mean square and scaled: simdgroup sums, then a sum over simdgroups.
#include <metal_stdlib>
using namespace metal;

kernel void rms_norm(device const float* x [[buffer(0)]],
                     device const float* weight [[buffer(1)]],
                     device float* result [[buffer(2)]],
                     constant uint& columns [[buffer(3)]],
                     constant float& epsilon [[buffer(4)]],
                     uint row [[threadgroup_position_in_grid]],
                     uint thread_index [[thread_index_in_threadgroup]],
                     uint threads [[threads_per_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]],
                     uint simdgroup_index [[simdgroup_index_in_threadgroup]],
                     uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float partial[32];
  device const float* row_data = x + row * columns;
  float sum = 0;
  for (uint column = thread_index; column < columns; column += threads) {
    sum = fma(row_data[column], row_data[column], sum);
  }
  sum = simd_sum(sum);
  if (lane == 0) partial[simdgroup_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  sum = simd_sum(lane < simdgroups ? partial[lane] : 0.0f);
  const float scale = precise::rsqrt(sum / columns + epsilon);
  for (uint column = thread_index; column < columns; column += threads) {
    result[row * columns + column] = row_data[column] * scale * weight[column];
  }
}
