// Only one half of the simdgroup comes to the barrier, and reads what the other half wrote.
#include <metal_stdlib>
using namespace metal;

kernel void half_sync(device const float* x, device float* y,
                      uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float s[32];
  s[lane] = x[lane];  // BUG: (race-threadgroup)
  if (lane < 16) {
    simdgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
    y[lane] = s[lane + 16];  // BUG: race-threadgroup
  } else {
    y[lane] = x[lane];
  }
}
