// In a tree of shuffles the high lanes add what is not theirs, and nobody listens to them.
#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float* x [[buffer(0)]],
                 device float* y [[buffer(1)]],
                 constant uint& count [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simdgroup [[simdgroup_index_in_threadgroup]],
                 uint lid [[thread_index_in_threadgroup]]) {
  threadgroup float partial[32];
  float sum = i < count ? x[i] : 0.0f;
  for (ushort step = 16; step > 0; step /= 2) sum += simd_shuffle_down(sum, step);
  if (lane == 0) partial[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup != 0) return;
  float total = lane < 3 ? partial[lane] : 0.0f;
  for (ushort step = 16; step > 0; step /= 2) total += simd_shuffle_xor(total, step);
  if (lid == 0) y[0] = total;
}
