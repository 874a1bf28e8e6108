// Threadgroup memory that the host sizes.
#include <metal_stdlib>
using namespace metal;

kernel void block_max(device const float* x [[buffer(0)]],
                      device float* maxima [[buffer(1)]],
                      threadgroup float* shared [[threadgroup(0)]],
                      uint gid [[thread_position_in_grid]],
                      uint lid [[thread_position_in_threadgroup]],
                      uint size [[threads_per_threadgroup]],
                      uint group [[threadgroup_position_in_grid]]) {
  shared[lid] = x[gid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    float best = shared[0];
    for (uint k = 1; k < size; ++k) best = max(best, shared[k]);
    maxima[group] = best;
  }
}
