// Thread 0 computes the scale, all read it behind the barrier.
#include <metal_stdlib>
using namespace metal;

kernel void rms_scale(device const float* x [[buffer(0)]],
                      device float* y [[buffer(1)]],
                      constant uint& n [[buffer(2)]],
                      constant float& eps [[buffer(3)]],
                      uint lid [[thread_index_in_threadgroup]]) {
  threadgroup float inv;
  if (lid == 0) {
    float ss = 0.0f;
    for (uint k = 0; k < n; ++k) ss += x[k] * x[k];
    inv = rsqrt(ss / n + eps);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[lid] = x[lid] * inv;
}
