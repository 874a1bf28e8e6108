// The number of rounds depends on the lane.
#include <metal_stdlib>
using namespace metal;

kernel void ragged(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   constant uint& n [[buffer(2)]],
                   uint lid [[thread_position_in_threadgroup]],
                   uint size [[threads_per_threadgroup]]) {
  threadgroup float tile[32];
  float acc = 0.0f;
  for (uint i = lid; i < n; i += size) {
    tile[lid] = x[i];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
    acc += tile[lid];
  }
  y[lid] = acc;
}
