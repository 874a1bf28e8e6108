// -INFINITY as start value and as mask; a fully masked row gives zeros.
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float* scores [[buffer(0)]],
                    device const bool* keep [[buffer(1)]],
                    device float* weights [[buffer(2)]],
                    constant uint& width [[buffer(3)]],
                    uint row [[thread_position_in_grid]]) {
  device const float* s = scores + row * width;
  device const bool* k = keep + row * width;
  device float* w = weights + row * width;
  float top = -INFINITY;
  for (uint c = 0; c < width; ++c) top = max(top, k[c] ? s[c] : -INFINITY);
  float sum = 0.0f;
  for (uint c = 0; c < width; ++c) {
    float score = k[c] ? s[c] : -INFINITY;
    w[c] = top == -INFINITY ? 0.0f : exp(score - top);
    sum += w[c];
  }
  for (uint c = 0; c < width; ++c) w[c] = sum > 0.0f ? w[c] / sum : 0.0f;
}
