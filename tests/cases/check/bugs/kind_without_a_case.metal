// A kind that the switch does not know leaves the result as it was.
#include <metal_stdlib>
using namespace metal;

kernel void activate(device const float* x [[buffer(0)]],
                     device const uint* kinds [[buffer(1)]],
                     device float* y [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  float result;
  switch (kinds[i]) {
    case 0: result = x[i]; break;
    case 1: result = max(x[i], 0.0f); break;
    case 2: result = tanh(x[i]); break;
  }
  y[i] = result;  // BUG: uninitialised-thread
}
