// Only the first half of the group meets at the barrier.
#include <metal_stdlib>
using namespace metal;

kernel void fold(device float* x [[buffer(0)]],
                 uint lid [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[lid] = x[lid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid < 32) {
    s[lid] += s[lid + 32];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
    x[lid] = s[lid];
  }
}
