// Each branch has its own barrier: threads wait at different ones.
#include <metal_stdlib>
using namespace metal;

kernel void producer_consumer(device const float* x [[buffer(0)]],
                              device float* y [[buffer(1)]],
                              uint t [[thread_index_in_threadgroup]]) {
  threadgroup float slots[32];
  if (t < 32) {
    slots[t] = x[t] * x[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
  } else {
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
    y[t - 32] = slots[t - 32];
  }
}
