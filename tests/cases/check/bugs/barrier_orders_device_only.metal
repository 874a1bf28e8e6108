// mem_device does not order threadgroup memory.
#include <metal_stdlib>
using namespace metal;

kernel void block_mean(device const float* values [[buffer(0)]],
                       device float* means [[buffer(1)]],
                       uint2 gid [[thread_position_in_grid]],
                       uint lane [[thread_index_in_threadgroup]],
                       uint2 group [[threadgroup_position_in_grid]],
                       uint2 groups [[threadgroups_per_grid]]) {
  threadgroup float tile[6][7];
  tile[lane / 7][lane % 7] = values[gid.y * 14 + gid.x];  // BUG: race-threadgroup
  threadgroup_barrier(mem_flags::mem_device);
  if (lane == 0) {
    float sum = 0;
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 7; ++c) sum += tile[r][c];  // BUG: race-threadgroup
    }
    means[group.y * groups.x + group.x] = sum / 42;
  }
}
