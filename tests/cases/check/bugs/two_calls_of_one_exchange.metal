// Both branches exchange through the same helper, but wait at barriers of their own.
#include <metal_stdlib>
using namespace metal;

static float exchange(threadgroup float* slots, float value, uint at) {
  slots[at] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
  return slots[at ^ 33];
}

kernel void mirrored(device const float* x [[buffer(0)]],
                     device float* y [[buffer(1)]],
                     uint at [[thread_position_in_threadgroup]]) {
  threadgroup float slots[64];
  float value = x[at];
  if (value > 20.0f) {
    value = exchange(slots, value, at);
  } else {
    value = exchange(slots, -value, at) * 0.5f;
  }
  y[at] = value;
}
