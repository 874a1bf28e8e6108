// C = A B, square: a threadgroup of 16x16 walks along tiles of 16x16 in threadgroup memory.
#include <metal_stdlib>
using namespace metal;

kernel void matmul(const device float* a [[buffer(0)]], const device float* b [[buffer(1)]],
                   device float* c [[buffer(2)]], constant uint& size [[buffer(3)]],
                   uint2 at [[thread_position_in_grid]],
                   uint2 thread_at [[thread_position_in_threadgroup]]) {
  threadgroup float tile_a[16][16];
  threadgroup float tile_b[16][16];
  float sum = 0;
  for (uint step = 0; step < size; step += 16) {
    tile_a[thread_at.y][thread_at.x] = a[at.y * size + step + thread_at.x];
    tile_b[thread_at.y][thread_at.x] = b[(step + thread_at.y) * size + at.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; ++k) sum += tile_a[thread_at.y][k] * tile_b[k][thread_at.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[at.y * size + at.x] = sum;
}
