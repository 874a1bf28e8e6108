// The lambda reads all three weights, of which two are set.
#include <metal_stdlib>
using namespace metal;

kernel void smooth(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  float weights[3];
  weights[0] = 0.25f;
  weights[1] = 0.5f;
  auto weighted = [&](uint k) {
    return weights[k] * x[i + k];  // BUG: uninitialised-thread
  };
  y[i] = weighted(0) + weighted(1) + weighted(2);
}
