// 33 columns keep banks apart; the padding is neither written nor read.
#include <metal_stdlib>
using namespace metal;

constant constexpr uint TILE = 32;
constant constexpr uint ROWS = 8;

kernel void transpose(device const float* in [[buffer(0)]],
                      device float* out [[buffer(1)]],
                      constant uint& width [[buffer(2)]],
                      constant uint& height [[buffer(3)]],
                      uint2 lid [[thread_position_in_threadgroup]],
                      uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[TILE][TILE + 1];
  uint x = group.x * TILE + lid.x;
  uint y = group.y * TILE + lid.y;
  for (uint j = 0; j < TILE; j += ROWS) {
    if (x < width && y + j < height) tile[lid.y + j][lid.x] = in[(y + j) * width + x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x = group.y * TILE + lid.x;
  y = group.x * TILE + lid.y;
  for (uint j = 0; j < TILE; j += ROWS) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[lid.x][lid.y + j];
  }
}
