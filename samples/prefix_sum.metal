// Prefix sums of blocks of 1024: within simdgroups first, then over the simdgroups' totals.
#include <metal_stdlib>
using namespace metal;

kernel void prefix_sum(device const int* values [[buffer(0)]],
                       device int* sums [[buffer(1)]],
                       constant uint& count [[buffer(2)]],
                       uint index [[thread_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simdgroup_index [[simdgroup_index_in_threadgroup]]) {
  threadgroup int totals[32];
  const int value = index < count ? values[index] : 0;
  const int inside = simd_prefix_inclusive_sum(value);
  if (lane == 31) totals[simdgroup_index] = inside;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simdgroup_index == 0) totals[lane] = simd_prefix_exclusive_sum(totals[lane]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (index < count) sums[index] = totals[simdgroup_index] + inside;
}
