// Decay factors raised to a large step.
#include <metal_stdlib>
using namespace metal;

kernel void growth(device const float* rate [[buffer(0)]],
                   device float* out [[buffer(1)]],
                   constant float& steps [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = pow(1.0f + rate[i], steps);  // BUG: not-finite
}
