#include <metal_stdlib>
using namespace metal;

// The carry is replaced by the last thread while others may not have added it yet.
kernel void cumsum(device const float* x, device float* y, constant uint& n,
                   uint t [[thread_position_in_threadgroup]],
                   uint size [[threads_per_threadgroup]]) {
  threadgroup float carry;
  if (t == 0) carry = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint base = 0; base < n; base += size) {
    uint i = base + t;
    float v = simd_prefix_inclusive_sum(i < n ? x[i] : 0.0f) + carry;  // BUG: race-threadgroup
    if (i < n) y[i] = v;
    if (t == size - 1) carry = v;  // BUG: race-threadgroup
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
