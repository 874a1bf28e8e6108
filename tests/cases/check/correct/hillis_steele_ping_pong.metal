// Two halves of one array in turn.
#include <metal_stdlib>
using namespace metal;

kernel void inclusive_scan(device const float* in [[buffer(0)]],
                           device float* out [[buffer(1)]],
                           threadgroup float* temp [[threadgroup(0)]],
                           uint tid [[thread_position_in_threadgroup]],
                           uint n [[threads_per_threadgroup]]) {
  uint pout = 0;
  uint pin = 1;
  temp[pout * n + tid] = in[tid];
  for (uint offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (tid >= offset) {
      temp[pout * n + tid] = temp[pin * n + tid] + temp[pin * n + tid - offset];
    } else {
      temp[pout * n + tid] = temp[pin * n + tid];
    }
  }
  out[tid] = temp[pout * n + tid];
}
