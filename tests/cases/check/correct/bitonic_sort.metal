// Every step behind a barrier; only the lower thread of a pair works.
#include <metal_stdlib>
using namespace metal;

kernel void bitonic_sort(device int* keys [[buffer(0)]],
                         uint t [[thread_position_in_threadgroup]]) {
  threadgroup int s[32];
  s[t] = keys[t];
  for (uint size = 2; size <= 32; size <<= 1) {
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint other = t ^ stride;
      if (other > t) {
        bool up = (t & size) == 0;
        int a = s[t];
        int b = s[other];
        if ((a > b) == up) {
          s[t] = b;
          s[other] = a;
        }
      }
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  keys[t] = s[t];
}
