// Barriers between the stages, none between the steps of a stage.
#include <metal_stdlib>
using namespace metal;

kernel void bitonic_sort(device int* keys [[buffer(0)]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup int s[32];
  s[t] = keys[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint size = 2; size <= 32; size <<= 1) {
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      uint other = t ^ stride;
      if (other > t) {
        bool up = (t & size) == 0;
        int a = s[t];  // BUG: race-threadgroup
        int b = s[other];  // BUG: race-threadgroup
        if ((a > b) == up) {
          s[t] = b;  // BUG: race-threadgroup
          s[other] = a;  // BUG: race-threadgroup
        }
      }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  keys[t] = s[t];
}
