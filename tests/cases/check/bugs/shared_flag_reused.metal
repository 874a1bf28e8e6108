// The flag is set for the next round while others still test this round's.
#include <metal_stdlib>
using namespace metal;

kernel void relax_rounds(device float* x [[buffer(0)]],
                         constant float& limit [[buffer(1)]],
                         uint tid [[thread_index_in_threadgroup]]) {
  threadgroup int go_on;
  for (int round = 0; round < 20; ++round) {
    x[tid] *= 0.5f;
    if (tid == 0) go_on = x[0] > limit;  // BUG: race-threadgroup
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: (barrier-divergence)
    if (!go_on) break;  // BUG: race-threadgroup
  }
}
