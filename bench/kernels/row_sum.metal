// One threadgroup of 256 sums one row with a barrier tree in threadgroup memory.
#include <metal_stdlib>
using namespace metal;

kernel void row_sum(const device float* x [[buffer(0)]], device float* sums [[buffer(1)]],
                    constant uint& columns [[buffer(2)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint thread_index [[thread_position_in_threadgroup]]) {
  threadgroup float partial[256];
  float sum = 0;
  for (uint column = thread_index; column < columns; column += 256)
    sum += x[row * columns + column];
  partial[thread_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count) partial[thread_index] += partial[thread_index + half_count];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (thread_index == 0) sums[row] = partial[0];
}
