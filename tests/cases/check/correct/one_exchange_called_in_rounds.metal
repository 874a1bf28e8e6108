// The same helper in a loop and behind a condition that all threads agree on.
#include <metal_stdlib>
using namespace metal;

static float exchange(threadgroup float* slots, float value, uint at, uint distance) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  slots[at] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return slots[at ^ distance];
}

kernel void butterflies(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        constant uint& rounds [[buffer(2)]],
                        uint at [[thread_position_in_threadgroup]]) {
  threadgroup float slots[64];
  float value = x[at];
  for (uint distance = 32; distance != 0; distance /= 2) value += exchange(slots, value, at, distance);
  if (rounds > 1) {
    value -= exchange(slots, value, at, 1);
  } else {
    value += exchange(slots, value, at, 2);
  }
  y[at] = value;
}
