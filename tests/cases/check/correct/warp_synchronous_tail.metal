// The last levels of the tree in one simdgroup, with simdgroup barriers.
#include <metal_stdlib>
using namespace metal;

inline void last_levels(threadgroup int* s, uint lane) {
  for (uint step = 16; step > 0; step /= 2) {
    if (lane < step) s[lane] += s[lane + step];
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
}

kernel void sum_int(device const int* g_in [[buffer(0)]],
                    device int* g_out [[buffer(1)]],
                    uint tid [[thread_position_in_threadgroup]],
                    uint sg [[simdgroup_index_in_threadgroup]],
                    uint i [[thread_position_in_grid]],
                    uint block [[threadgroup_position_in_grid]]) {
  threadgroup int s[64];
  s[tid] = g_in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (sg == 0) {
    s[tid] += s[tid + 32];
    simdgroup_barrier(mem_flags::mem_threadgroup);
    last_levels(s, tid);
    if (tid == 0) g_out[block] = s[0];
  }
}
