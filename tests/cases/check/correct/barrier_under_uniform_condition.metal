// The condition is the same for the whole threadgroup.
#include <metal_stdlib>
using namespace metal;

kernel void reverse_some(device const int* in [[buffer(0)]],
                         device int* out [[buffer(1)]],
                         device const bool* wanted [[buffer(2)]],
                         uint gid [[thread_position_in_grid]],
                         uint lid [[thread_position_in_threadgroup]],
                         uint size [[threads_per_threadgroup]],
                         uint group [[threadgroup_position_in_grid]]) {
  threadgroup int tile[16];
  if (wanted[group]) {
    tile[lid] = in[gid];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    out[gid] = tile[size - 1 - lid];
  } else {
    out[gid] = in[gid];
  }
}
