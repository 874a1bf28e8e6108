// All lanes store the simdgroup's sum.
#include <metal_stdlib>
using namespace metal;

kernel void simd_totals(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        uint gid [[thread_position_in_grid]],
                        uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[2];
  totals[sg] = simd_sum(x[gid]);  // BUG: race-same-value
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[gid] = x[gid] / (totals[0] + totals[1]);
}
