// Reads at the end of a loop, by each side of a condition, and a default that some elements keep: all
// of it is filled, and each thread has its own.
#include <metal_stdlib>
using namespace metal;

kernel void blur_rounds(device const float* input [[buffer(0)]],
                        device float* output [[buffer(1)]],
                        uint i [[thread_position_in_grid]],
                        uint t [[thread_position_in_threadgroup]]) {
  threadgroup float row[64];
  threadgroup float other[64];
  float middle = input[i];
  other[t] = 0;
  if (middle > 0.5f)
    other[t] = middle;
  for (uint round = 0; round < 3; ++round) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    row[t] = middle;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i % 3 == 0)
      middle = row[(t + 1) % 64];
    else
      middle = other[(t + 1) % 64];
  }
  output[i] = middle;
}
