// Centre and halo are loaded, then one barrier.
#include <metal_stdlib>
using namespace metal;

constant uint kBlock = 32;
constant int kRadius = 2;

kernel void moving_average(device const float* in [[buffer(0)]],
                           device float* out [[buffer(1)]],
                           constant int& n [[buffer(2)]],
                           uint gid [[thread_position_in_grid]],
                           uint lid [[thread_position_in_threadgroup]]) {
  threadgroup float line[kBlock + 2 * kRadius];
  line[lid + kRadius] = in[min(int(gid), n - 1)];
  if (lid < uint(kRadius)) {
    line[lid] = in[clamp(int(gid) - kRadius, 0, n - 1)];
    line[lid + kBlock + kRadius] = in[clamp(int(gid) + int(kBlock), 0, n - 1)];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0.0f;
  for (int k = 0; k <= 2 * kRadius; ++k) sum += line[lid + k];
  if (int(gid) < n) out[gid] = sum / 5.0f;
}
