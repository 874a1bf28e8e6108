// A tile with a halo of one on each side needs (TILE + 2) * (TILE + 2) elements.
#include <metal_stdlib>
using namespace metal;

#define TILE 4

kernel void box3x3(device const float* in [[buffer(0)]],
                   device float* out [[buffer(1)]],
                   constant uint2& size [[buffer(2)]],
                   uint2 gid [[thread_position_in_grid]],
                   uint2 lid [[thread_position_in_threadgroup]]) {
  threadgroup float tile[TILE * TILE];
  uint x = min(gid.x, size.x - 1);
  uint y = min(gid.y, size.y - 1);
  uint pitch = TILE + 2;
  tile[(lid.y + 1) * pitch + lid.x + 1] = in[y * size.x + x];  // BUG: bounds-write
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (gid.x < size.x && gid.y < size.y) {
    out[gid.y * size.x + gid.x] = tile[0 * pitch + pitch + 1];
  }
}
