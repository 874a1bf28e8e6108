// The last simdgroup has 12 lanes, and the tree adds up all 32.
#include <metal_stdlib>
using namespace metal;

kernel void totals(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   uint i [[thread_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]],
                   uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float partial[2];
  float sum = x[i];
  for (ushort step = 16; step > 0; step /= 2) {
    sum += simd_shuffle_down(sum, step);  // BUG: missing-lane
  }
  if (lane == 0) partial[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) y[0] = partial[0] + partial[1];
}
