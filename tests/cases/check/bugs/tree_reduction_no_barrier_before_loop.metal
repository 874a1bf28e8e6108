// The first level reads what other threads have just loaded.
#include <metal_stdlib>
using namespace metal;

kernel void row_max(device const half* rows [[buffer(0)]],
                    device half* maxima [[buffer(1)]],
                    constant uint& width [[buffer(2)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_threadgroup]]) {
  threadgroup half best[64];
  half mine = -INFINITY;
  for (uint c = lane; c < width; c += 64) mine = max(mine, rows[row * width + c]);
  best[lane] = mine;  // BUG: race-threadgroup
  for (uint half_width = 32; half_width > 0; half_width /= 2) {
    if (lane < half_width) {
      half other = best[lane + half_width];  // BUG: race-threadgroup (uninitialised-threadgroup)
      if (other > mine) mine = other;
      best[lane] = mine;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (lane == 0) maxima[row] = best[0];
}
