// The sum of every row of a matrix: one threadgroup per row, a tree in threadgroup memory.
#include <metal_stdlib>
using namespace metal;

constant constexpr uint kThreads = 256;

[[kernel, max_total_threads_per_threadgroup(kThreads)]]
void row_sum(device const float* matrix [[buffer(0)]],
             device float* sums [[buffer(1)]],
             constant uint& columns [[buffer(2)]],
             uint row [[threadgroup_position_in_grid]],
             uint thread_index [[thread_index_in_threadgroup]]) {
  threadgroup float partial[kThreads];
  float sum = 0;
  for (uint column = thread_index; column < columns; column += kThreads) {
    sum += matrix[row * columns + column];
  }
  partial[thread_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint half_count = kThreads / 2; half_count > 0; half_count /= 2) {
    if (thread_index < half_count) partial[thread_index] += partial[thread_index + half_count];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (thread_index == 0) sums[row] = partial[0];
}
