// Rows that are read and written from their ends.
#include <metal_stdlib>
using namespace metal;

kernel void reversed_rows(device const float* x [[buffer(0)]], device float* out [[buffer(1)]],
                          constant int& n [[buffer(2)]], int i [[thread_position_in_grid]],
                          int lid [[thread_position_in_threadgroup]]) {
  threadgroup float tile[48];
  tile[47 - lid] = x[n - 1 - i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[n - 1 - i] = tile[47 - lid] + tile[lid];
}
