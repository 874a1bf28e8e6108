// A linear congruential generator in each thread picks elements.
#include <metal_stdlib>
using namespace metal;

static uint next(thread uint& state) {
  state = state * 1664525u + 1013904223u;
  return state;
}

kernel void bootstrap(device const float* x [[buffer(0)]],
                      device float* mean [[buffer(1)]],
                      constant uint& n [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  uint state = i * 747796405u + 2891336453u;
  float sum = 0.0f;
  for (uint k = 0; k < n; ++k) sum += x[next(state) % n];
  mean[i] = sum / n;
}
