// One threadgroup of 256 normalises one row by its root mean square; simdgroup reductions.
#include <metal_stdlib>
using namespace metal;

kernel void rms_norm(const device float* x [[buffer(0)]], const device float* weight [[buffer(1)]],
                     device float* y [[buffer(2)]], constant uint& columns [[buffer(3)]],
                     uint row [[threadgroup_position_in_grid]],
                     uint thread_index [[thread_position_in_threadgroup]],
                     uint lane [[thread_index_in_simdgroup]],
                     uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float partial[8];
  const device float* from = x + row * columns;
  float squares = 0;
  for (uint column = thread_index; column < columns; column += 256)
    squares += from[column] * from[column];
  squares = simd_sum(squares);
  if (lane == 0) partial[simdgroup] = squares;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float total = simd_sum(lane < 8 ? partial[lane] : 0.0f);
  float factor = rsqrt(total / columns + 1e-5f);
  for (uint column = thread_index; column < columns; column += 256)
    y[row * columns + column] = from[column] * factor * weight[column];
}
