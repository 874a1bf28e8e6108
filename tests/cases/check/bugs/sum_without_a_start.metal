// The sum has no value when the loop begins.
#include <metal_stdlib>
using namespace metal;

kernel void dot4(device const float* a [[buffer(0)]],
                 device const float* b [[buffer(1)]],
                 device float* out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  float sum;
  for (uint k = 0; k < 4; ++k) sum += a[i * 4 + k] * b[k];  // BUG: uninitialised-thread
  out[i] = sum;
}
