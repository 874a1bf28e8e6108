// Lanes behind the end leave, and the others wait for their simdgroup.
#include <metal_stdlib>
using namespace metal;

kernel void rotate_rows(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        constant uint& n [[buffer(2)]],
                        threadgroup float* row [[threadgroup(0)]],
                        uint i [[thread_position_in_grid]],
                        uint at [[thread_position_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]]) {
  if (i >= n) return;
  row[at] = x[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
  y[i] = lane == 0 ? row[at] : row[at - 1];
}
