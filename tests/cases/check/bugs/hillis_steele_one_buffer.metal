// One barrier per step: the write of one thread meets the read of another.
#include <metal_stdlib>
using namespace metal;

kernel void inclusive_scan(device int* data [[buffer(0)]],
                           uint tid [[thread_position_in_threadgroup]],
                           uint n [[threads_per_threadgroup]]) {
  threadgroup int temp[64];
  temp[tid] = data[tid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint offset = 1; offset < n; offset <<= 1) {
    if (tid >= offset) {
      temp[tid] += temp[tid - offset];  // BUG: race-threadgroup
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  data[tid] = temp[tid];
}
