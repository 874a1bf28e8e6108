// A cell gets a default and then, under a condition, its value: two threads share each cell.
#include <metal_stdlib>
using namespace metal;

kernel void brightest(device const float* input [[buffer(0)]],
                      device float* output [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup float cells[32];
  float value = input[i];
  cells[t / 2] = 0;    // BUG: race-threadgroup (race-same-value)
  if (value > 0.5f)
    cells[t / 2] = value;  // BUG: race-threadgroup
  threadgroup_barrier(mem_flags::mem_threadgroup);
  output[i] = cells[t / 2];
}
