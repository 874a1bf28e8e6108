// Nobody takes the branch that sets the flag, which everybody reads.
#include <metal_stdlib>
using namespace metal;

kernel void flag_that_no_thread_sets(device const float* x [[buffer(0)]],
                                     device float* out [[buffer(1)]],
                                     uint i [[thread_position_in_grid]],
                                     uint lid [[thread_position_in_threadgroup]]) {
  threadgroup float flag[1];
  if (x[i] > 100) flag[0] = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = x[i] * flag[0];  // BUG: uninitialised-threadgroup
}
