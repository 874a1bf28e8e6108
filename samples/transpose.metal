// A matrix turned over its diagonal through a tile in threadgroup memory, so that reads and writes
// are both of neighbouring elements. Sizes need not be multiples of the tile.
#include <metal_stdlib>
using namespace metal;

constant constexpr uint kTile = 16;

kernel void transpose_tiled(device const float* matrix [[buffer(0)]],
                            device float* result [[buffer(1)]],
                            constant uint2& size [[buffer(2)]],  // columns, rows
                            uint2 group [[threadgroup_position_in_grid]],
                            uint2 local [[thread_position_in_threadgroup]]) {
  // One more column than needed: neighbours in a column then lie in different banks.
  threadgroup float tile[kTile][kTile + 1];
  const uint2 from = group * kTile + local;
  if (all(from < size)) tile[local.y][local.x] = matrix[from.y * size.x + from.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);

  const uint2 to = group.yx * kTile + local;
  if (all(to < size.yx)) result[to.y * size.y + to.x] = tile[local.x][local.y];
}
