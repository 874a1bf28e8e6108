// Centre and halo are loaded by different threads; the barrier stands before the halo.
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
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid < uint(kRadius)) {
    int left = int(gid) - kRadius;
    int right = int(gid) + int(kBlock);
    line[lid] = in[clamp(left, 0, n - 1)];  // BUG: race-threadgroup
    line[lid + kBlock + kRadius] = in[clamp(right, 0, n - 1)];  // BUG: race-threadgroup
  }
  float sum = 0.0f;
  for (int k = 0; k <= 2 * kRadius; ++k) {
    sum += line[lid + k];  // BUG: race-threadgroup (uninitialised-threadgroup)
  }
  if (int(gid) < n) out[gid] = sum / 5.0f;
}
