// A loop that the whole threadgroup leaves together.
#include <metal_stdlib>
using namespace metal;

kernel void relax_rounds(device float* x [[buffer(0)]],
                         constant float& limit [[buffer(1)]],
                         uint tid [[thread_index_in_threadgroup]]) {
  threadgroup int go_on;
  for (int round = 0; round < 20; ++round) {
    x[tid] *= 0.5f;
    if (tid == 0) go_on = x[0] > limit;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const bool stop = !go_on;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (stop) break;
  }
}
