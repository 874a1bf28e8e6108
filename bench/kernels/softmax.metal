// One threadgroup of 256 normalises one row: greatest value, sum of exponentials, result.
#include <metal_stdlib>
using namespace metal;

kernel void softmax(const device float* x [[buffer(0)]], device float* y [[buffer(1)]],
                    constant uint& columns [[buffer(2)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint thread_index [[thread_position_in_threadgroup]]) {
  threadgroup float partial[256];
  const device float* from = x + row * columns;
  device float* to = y + row * columns;

  float greatest = -INFINITY;
  for (uint column = thread_index; column < columns; column += 256)
    greatest = max(greatest, from[column]);
  partial[thread_index] = greatest;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count)
      partial[thread_index] = max(partial[thread_index], partial[thread_index + half_count]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  greatest = partial[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);

  float sum = 0;
  for (uint column = thread_index; column < columns; column += 256) {
    float power = exp(from[column] - greatest);
    to[column] = power;
    sum += power;
  }
  partial[thread_index] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_count = 128; half_count > 0; half_count /= 2) {
    if (thread_index < half_count) partial[thread_index] += partial[thread_index + half_count];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  float factor = 1 / partial[0];
  for (uint column = thread_index; column < columns; column += 256) to[column] *= factor;
}
