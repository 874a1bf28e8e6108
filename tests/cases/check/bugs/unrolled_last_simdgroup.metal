// The textbook's "last warp needs no barrier", which it does.
#include <metal_stdlib>
using namespace metal;

inline void last_levels(threadgroup volatile int* s, uint tid) {
  if (tid < 16) s[tid] += s[tid + 16];  // BUG: race-threadgroup
  if (tid < 8) s[tid] += s[tid + 8];  // BUG: race-threadgroup
  if (tid < 4) s[tid] += s[tid + 4];  // BUG: race-threadgroup
  if (tid < 2) s[tid] += s[tid + 2];  // BUG: race-threadgroup
  if (tid < 1) s[tid] += s[tid + 1];  // BUG: race-threadgroup
}

kernel void sum_int(device const int* g_in [[buffer(0)]],
                    device int* g_out [[buffer(1)]],
                    uint tid [[thread_position_in_threadgroup]],
                    uint i [[thread_position_in_grid]],
                    uint block [[threadgroup_position_in_grid]]) {
  threadgroup int s[64];
  s[tid] = g_in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (tid < 32) s[tid] += s[tid + 32];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  last_levels(s, tid);
  if (tid == 0) g_out[block] = s[0];
}
