// Threads behind the end have left: the last one that stays asks one of them.
#include <metal_stdlib>
using namespace metal;

kernel void differences(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        constant uint& count [[buffer(2)]],
                        uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  float value = x[i];
  float next = simd_shuffle_down(value, 1);  // BUG: missing-lane
  float turned = next > value ? 1.0f : -1.0f;
  y[i] = turned;
}
