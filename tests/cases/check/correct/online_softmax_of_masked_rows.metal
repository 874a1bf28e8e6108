// The first block of a row may be masked as a whole: then nothing is rescaled, and a difference of
// infinities that nobody uses is not stored.
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
    float shift = higher == -INFINITY ? 0.0f : higher;
    sum = sum * exp(top - shift) + exp(score - shift);
    top = higher;
  }
  bool is_empty = top == -INFINITY;
  float log_sum = is_empty ? -INFINITY : top + log(sum);
  for (uint c = row * width; c < (row + 1) * width; ++c) {
    weights[c] = is_empty || !keep[c] ? 0.0f : exp(scores[c] - log_sum);
  }
}
