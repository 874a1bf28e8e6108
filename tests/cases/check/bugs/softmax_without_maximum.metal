// exp of large scores; the maximum was not taken off.
#include <metal_stdlib>
using namespace metal;

kernel void softmax_naive(device const float* scores [[buffer(0)]],
                          device float* weights [[buffer(1)]],
                          constant uint& width [[buffer(2)]],
                          uint row [[thread_position_in_grid]]) {
  device const float* s = scores + row * width;
  device float* w = weights + row * width;
  for (uint c = 0; c < width; ++c) {
    w[c] = exp(s[c]);  // BUG: not-finite
  }
  float sum = 0.0f;
  for (uint c = 0; c < width; ++c) sum += w[c];
  for (uint c = 0; c < width; ++c) w[c] = w[c] / sum;
}
