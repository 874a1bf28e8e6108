// Positive and negative numbers have a tile each; the one of the negative ones is filled only in part.
#include <metal_stdlib>
using namespace metal;

kernel void two_tiles(device const float* input [[buffer(0)]],
                      device float* output [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup float above[32];
  threadgroup float below[32];
  above[t] = max(input[i], 0.0f);
  if (t < 20) below[t] = min(input[i], 0.0f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float chosen;
  if (i % 2 == 0) {
    chosen = above[31 - t];
  } else {
    chosen = below[31 - t];  // BUG: uninitialised-threadgroup
  }
  output[i] = chosen;
}
