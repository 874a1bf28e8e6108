// Halving an odd count: the middle element stays.
#include <metal_stdlib>
using namespace metal;

kernel void reduce_min(device const int* in [[buffer(0)]],
                       device int* out [[buffer(1)]],
                       uint gid [[thread_position_in_grid]],
                       uint tid [[thread_position_in_threadgroup]],
                       uint bid [[threadgroup_position_in_grid]],
                       uint size [[threads_per_threadgroup]]) {
  threadgroup int s[96];
  s[tid] = in[gid];
  uint count = size;
  while (count > 1) {
    uint upper = (count + 1) / 2;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tid + upper < count) s[tid] = min(s[tid], s[tid + upper]);
    count = upper;
  }
  if (tid == 0) out[bid] = s[0];
}
