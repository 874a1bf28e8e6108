// Softmax of rows, with the scores of hidden positions left out when the function constant `causal`
// is true. The size of the threadgroup memory is the launcher's choice: one float per simdgroup.
#include <metal_stdlib>
using namespace metal;

constant bool causal [[function_constant(0)]];

kernel void softmax(device const float* scores [[buffer(0)]],
                    device float* result [[buffer(1)]],
                    constant uint& columns [[buffer(2)]],
                    threadgroup float* partial [[threadgroup(0)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint thread_index [[thread_index_in_threadgroup]],
                    uint threads [[threads_per_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint simdgroup_index [[simdgroup_index_in_threadgroup]],
                    uint simdgroups [[simdgroups_per_threadgroup]]) {
  const uint visible = causal ? min(row + 1, columns) : columns;
  float highest = -INFINITY;
  for (uint i = thread_index; i < visible; i += threads) {
    highest = max(highest, scores[row * columns + i]);
  }
  highest = simd_max(highest);
  if (lane == 0) partial[simdgroup_index] = highest;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  highest = simd_max(lane < simdgroups ? partial[lane] : -INFINITY);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  float sum = 0;
  for (uint i = thread_index; i < visible; i += threads) {
    sum += exp(scores[row * columns + i] - highest);
  }
  sum = simd_sum(sum);
  if (lane == 0) partial[simdgroup_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  sum = simd_sum(lane < simdgroups ? partial[lane] : 0.0f);

  for (uint i = thread_index; i < columns; i += threads) {
    const float score = scores[row * columns + i];
    result[row * columns + i] = i < visible ? exp(score - highest) / sum : 0.0f;
  }
}
