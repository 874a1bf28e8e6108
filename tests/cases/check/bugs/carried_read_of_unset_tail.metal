// Blur over and over: each round reads what the round before has left, in the last line of the loop.
// The right half of the line is never filled.
#include <metal_stdlib>
using namespace metal;

kernel void blur_rounds(device const float* input [[buffer(0)]],
                        device float* output [[buffer(1)]],
                        uint i [[thread_position_in_grid]],
                        uint t [[thread_position_in_threadgroup]]) {
  threadgroup float row[64];
  float middle = input[i];
  for (uint round = 0; round < 3; ++round) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < 32) row[t] = middle;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    middle = row[(t + 1) % 64];  // BUG: uninitialised-threadgroup
  }
  output[i] = middle;
}
