// A thread that has converged leaves the loop alone.
#include <metal_stdlib>
using namespace metal;

kernel void newton(device const float* a [[buffer(0)]],
                   device float* root [[buffer(1)]],
                   uint lid [[thread_index_in_threadgroup]]) {
  threadgroup float guess[20];
  guess[lid] = 1.0f;
  for (int step = 0; step < 12; ++step) {
    float g = guess[lid];
    float next = 0.5f * (g + a[lid] / g);
    if (abs(next - g) < 1e-3f) break;
    guess[lid] = next;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
  }
  root[lid] = guess[lid];
}
