// The tile has a column more than the threadgroup has threads along x, which nobody uses: rows begin
// in different banks.
#include <metal_stdlib>
using namespace metal;

constant constexpr ushort kRows = 8;
constant constexpr ushort kColumns = 17;

kernel void flip_rows(device const float* input [[buffer(0)]],
                      device float* output [[buffer(1)]],
                      ushort2 t [[thread_position_in_threadgroup]],
                      uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[kRows][kColumns];
  const uint start = group.x * 128;
  for (ushort row = t.y; row < kRows; row += 4) {
    tile[row][t.x] = input[start + row * 16 + t.x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (ushort row = t.y; row < kRows; row += 4) {
    output[start + row * 16 + t.x] = tile[kRows - 1 - row][t.x];
  }
}
