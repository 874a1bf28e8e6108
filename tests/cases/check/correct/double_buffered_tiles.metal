// Two tiles in turn: one barrier per round is enough.
#include <metal_stdlib>
using namespace metal;

kernel void row_dots(device const float* A [[buffer(0)]],
                     device const float* v [[buffer(1)]],
                     device float* out [[buffer(2)]],
                     constant uint& K [[buffer(3)]],
                     uint row [[thread_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]]) {
  threadgroup float part[2][16];
  float acc = 0.0f;
  uint turn = 0;
  for (uint t = 0; t < K; t += size) {
    part[turn][lid] = t + lid < K ? v[t + lid] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < size && t + k < K; ++k) acc += A[row * K + t + k] * part[turn][k];
    turn ^= 1;
  }
  out[row] = acc;
}
