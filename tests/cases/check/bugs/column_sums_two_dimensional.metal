// One thread per element adds to its column's sum.
#include <metal_stdlib>
using namespace metal;

kernel void column_sums(device const float* m [[buffer(0)]],
                        device float* sums [[buffer(1)]],
                        uint2 gid [[thread_position_in_grid]],
                        uint2 extent [[threads_per_grid]]) {
  sums[gid.x] += m[gid.y * extent.x + gid.x];  // BUG: race-update
}
