// Again in a group of 2x3x5.
#include <metal_stdlib>
using namespace metal;

kernel void block_total(device const int* x [[buffer(0)]],
                        device int* totals [[buffer(1)]],
                        uint index [[thread_index_in_threadgroup]],
                        uint3 size [[threads_per_threadgroup]],
                        uint group [[threadgroup_position_in_grid]]) {
  threadgroup int part[30];
  uint count = size.x * size.y * size.z;
  part[index] = x[group * count + index];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (index == 0) {
    int total = 0;
    for (uint k = 0; k < count; ++k) total += part[k];
    totals[group] = total;
  }
}
