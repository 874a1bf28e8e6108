// The maximum of a row of which nothing is kept is -INFINITY: -INFINITY - -INFINITY is no number.
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float* scores [[buffer(0)]],
                    device const bool* keep [[buffer(1)]],
                    device float* weights [[buffer(2)]],
                    constant uint& width [[buffer(3)]],
                    uint row [[thread_position_in_grid]]) {
  float top = -INFINITY;
  float sum = 0.0f;
  for (uint c = row * width; c < (row + 1) * width; ++c) {
    float score = keep[c] ? scores[c] : -INFINITY;
    float higher = max(top, score);
    sum = sum * exp(top - higher) +  // BUG: not-finite
          exp(score - higher);
    top = higher;
  }
  for (uint c = row * width; c < (row + 1) * width; ++c) {
    weights[c] = keep[c] ? exp(scores[c] - top) / sum : sum;
  }
}
