// Infinities on the way to a finite number have no part in the mask that is added later.
#include <metal_stdlib>
using namespace metal;

kernel void masked_gates(device const float* x [[buffer(0)]],
                         constant uint& length [[buffer(1)]],
                         device float* scores [[buffer(2)]],
                         device float* largest [[buffer(3)]],
                         device float* shifted [[buffer(4)]],
                         uint i [[thread_position_in_threadgroup]]) {
  threadgroup float shared[32];
  float e = exp(-x[i]);
  float gate = 1.0f / (1.0f + e);
  float mask = i < length ? 0.0f : -INFINITY;
  scores[i] = gate + mask;
  shared[i] = i < length ? gate : -INFINITY;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float most = -INFINITY;
  for (uint k = length; k < 32; ++k) most = max(most, shared[k]);
  largest[i] = most;
  // A choice between what overflowed and what is meant.
  float chosen = x[i] > 0.0f ? e : -INFINITY;
  shifted[i] = chosen - 1.0f;
}
