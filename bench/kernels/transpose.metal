// A threadgroup of 32x8 transposes a tile of 32x32 through threadgroup memory.
#include <metal_stdlib>
using namespace metal;

kernel void transpose(const device float* x [[buffer(0)]], device float* y [[buffer(1)]],
                      constant uint& width [[buffer(2)]],
                      uint2 group [[threadgroup_position_in_grid]],
                      uint2 thread_at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32][33];
  for (uint row = thread_at.y; row < 32; row += 8)
    tile[row][thread_at.x] = x[(group.y * 32 + row) * width + group.x * 32 + thread_at.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint row = thread_at.y; row < 32; row += 8)
    y[(group.x * 32 + row) * width + group.y * 32 + thread_at.x] = tile[thread_at.x][row];
}
