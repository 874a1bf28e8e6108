// Windows of neighbours overlap, but nobody writes them.
#include <metal_stdlib>
using namespace metal;

kernel void window_max(device const float* x [[buffer(0)]],
                       device float* y [[buffer(1)]],
                       constant uint& width [[buffer(2)]],
                       uint i [[thread_position_in_grid]]) {
  float best = x[i];
  for (uint k = 1; k < width; ++k) best = max(best, x[i + k]);
  y[i] = best;
}
