// Variance as E[x^2] - E[x]^2, which rounding (or a wrong mean) makes negative.
#include <metal_stdlib>
using namespace metal;

kernel void deviation(device const float* mean_of_squares [[buffer(0)]],
                      device const float* mean [[buffer(1)]],
                      device float* sigma [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  float variance = mean_of_squares[i] - mean[i] * mean[i];
  float s = sqrt(variance);  // BUG: not-finite
  sigma[i] = s;  // BUG: not-finite
}
