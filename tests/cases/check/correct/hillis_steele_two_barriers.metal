// One buffer, but read and write are separated.
#include <metal_stdlib>
using namespace metal;

kernel void inclusive_scan(device int* data [[buffer(0)]],
                           uint tid [[thread_position_in_threadgroup]],
                           uint n [[threads_per_threadgroup]]) {
  threadgroup int temp[64];
  temp[tid] = data[tid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint offset = 1; offset < n; offset <<= 1) {
    int below = tid >= offset ? temp[tid - offset] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    temp[tid] += below;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  data[tid] = temp[tid];
}
