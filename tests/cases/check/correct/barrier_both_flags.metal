// Device and threadgroup memory are exchanged at one barrier.
#include <metal_stdlib>
using namespace metal;

kernel void exchange(device const float* in [[buffer(0)]],
                     device float* scratch [[buffer(1)]],
                     device float* out [[buffer(2)]],
                     uint gid [[thread_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]]) {
  threadgroup float copy[32];
  scratch[gid] = in[gid] * 2.0f;
  copy[lid] = in[gid];
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  uint mirror = size - 1 - lid;
  out[gid] = scratch[gid - lid + mirror] - copy[mirror];
}
