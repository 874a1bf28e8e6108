// Threads of one threadgroup exchange through device memory behind mem_device.
#include <metal_stdlib>
using namespace metal;

kernel void reverse_blocks(device int* data [[buffer(0)]],
                           uint gid [[thread_position_in_grid]],
                           uint lid [[thread_position_in_threadgroup]],
                           uint size [[threads_per_threadgroup]]) {
  int value = data[gid - lid + (size - 1 - lid)];
  threadgroup_barrier(mem_flags::mem_device);
  data[gid] = value;
}
