// Work-efficient scan, up-sweep and down-sweep.
#include <metal_stdlib>
using namespace metal;

kernel void exclusive_scan(device const uint* in [[buffer(0)]],
                           device uint* out [[buffer(1)]],
                           uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint s[64];
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  uint offset = 1;
  for (uint d = 32; d > 0; d >>= 1) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[63] = 0;
  for (uint d = 1; d < 64; d *= 2) {
    offset >>= 1;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < d) {
      uint left = offset * (2 * t + 1) - 1;
      uint right = offset * (2 * t + 2) - 1;
      uint kept = s[left];
      s[left] = s[right];
      s[right] += kept;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}
