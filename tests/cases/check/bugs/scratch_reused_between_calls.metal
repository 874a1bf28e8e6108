// The helper is right by itself; called twice, the second call overwrites what the first still reads.
#include <metal_stdlib>
using namespace metal;

float group_total(float mine, threadgroup float* scratch, uint lid, uint count) {
  scratch[lid] = mine;  // BUG: race-threadgroup
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float total = 0.0f;
  for (uint k = 0; k < count; ++k) total += scratch[k];  // BUG: race-threadgroup
  return total;
}

kernel void standardise(device const float* x [[buffer(0)]],
                        device float* z [[buffer(1)]],
                        uint lid [[thread_position_in_threadgroup]],
                        uint count [[threads_per_threadgroup]]) {
  threadgroup float scratch[50];
  float mean = group_total(x[lid], scratch, lid, count) / count;
  float d = x[lid] - mean;
  float variance = group_total(d * d, scratch, lid, count) / count;
  z[lid] = d * rsqrt(variance + 1e-5f);
}
