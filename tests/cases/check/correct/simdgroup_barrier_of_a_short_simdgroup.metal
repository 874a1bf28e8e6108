// The last simdgroup is not full: all lanes that it has come to its barrier.
#include <metal_stdlib>
using namespace metal;

kernel void rotate_rows(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        threadgroup float* row [[threadgroup(0)]],
                        uint i [[thread_position_in_grid]],
                        uint at [[thread_position_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]]) {
  row[at] = x[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = lane == 0 ? row[at] : row[at - 1];
}
