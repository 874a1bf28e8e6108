// Logarithms of zero are minus infinity, and everybody who gets one from another thread drops it or
// takes the larger number. Infinities that are stored are written down.
#include <metal_stdlib>
using namespace metal;

kernel void viterbi(device const float* p [[buffer(0)]],
                    device float* best [[buffer(1)]],
                    device float* scores [[buffer(2)]],
                    uint lid [[thread_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float logs[64];
  threadgroup float tops[64];
  float mine = log(p[lid]);
  logs[lid] = mine;
  tops[lid] = mine - simd_max(mine);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float next = logs[(lid + 1) % 64];
  float top = simd_max(max(mine, next));
  float sum = simd_sum(next == -INFINITY ? 0.0f : exp(next - top));
  float shuffled = simd_shuffle_xor(mine, 1);
  scores[lid] = p[lid] > 0.0f ? mine - top : -INFINITY;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  tops[lid] = isinf(tops[lid]) ? 0.0f : tops[lid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float old = tops[63 - lid];
  if (lane == 0) best[lid / 32] = top + log(sum) + old + exp(shuffled);
}
