// A 2-D tile with a border, loaded in a strided loop by all threads.
#include <metal_stdlib>
using namespace metal;

#define T 6

kernel void box3x3(device const float* in [[buffer(0)]],
                   device float* out [[buffer(1)]],
                   constant uint2& size [[buffer(2)]],
                   uint2 gid [[thread_position_in_grid]],
                   uint2 lid [[thread_position_in_threadgroup]],
                   uint index [[thread_index_in_threadgroup]],
                   uint2 group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[(T + 2) * (T + 2)];
  for (uint k = index; k < (T + 2) * (T + 2); k += T * T) {
    int x = clamp(int(group.x * T + k % (T + 2)) - 1, 0, int(size.x) - 1);
    int y = clamp(int(group.y * T + k / (T + 2)) - 1, 0, int(size.y) - 1);
    tile[k] = in[y * int(size.x) + x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (gid.x >= size.x || gid.y >= size.y) return;
  float sum = 0.0f;
  for (uint dy = 0; dy < 3; ++dy) {
    for (uint dx = 0; dx < 3; ++dx) sum += tile[(lid.y + dy) * (T + 2) + lid.x + dx];
  }
  out[gid.y * size.x + gid.x] = sum / 9.0f;
}
