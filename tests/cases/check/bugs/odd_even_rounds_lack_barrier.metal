#include <metal_stdlib>
using namespace metal;

// Odd-even transposition sort: the barrier is behind every second round only.
inline void order(threadgroup ushort* s, uint i) {
  ushort a = s[i], b = s[i + 1];  // BUG: race-threadgroup
  s[i] = min(a, b);               // BUG: race-threadgroup
  s[i + 1] = max(a, b);           // BUG: race-threadgroup
}
kernel void sort33(device const ushort* x, device ushort* y,
                   uint t [[thread_position_in_threadgroup]]) {
  threadgroup ushort s[33];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint r = 0; r < 33; r += 2) {
    if (t % 2 == 0 && t + 1 < 33) order(s, t);
    if (t % 2 == 1 && t + 1 < 33) order(s, t);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = s[t];
}
