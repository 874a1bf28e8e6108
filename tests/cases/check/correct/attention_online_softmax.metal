// Online softmax: running maximum and rescaled sum.
#include <metal_stdlib>
using namespace metal;

kernel void attend(device const float* q [[buffer(0)]],
                   device const float* k [[buffer(1)]],
                   device const float* v [[buffer(2)]],
                   device float* out [[buffer(3)]],
                   constant uint& keys [[buffer(4)]],
                   uint row [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  constexpr uint D = 32;
  float mine = q[row * D + lane];
  float top = -INFINITY;
  float sum = 0.0f;
  float acc = 0.0f;
  for (uint j = 0; j <= min(row, keys - 1); ++j) {
    float score = simd_sum(mine * k[j * D + lane]) * 0.17677669f;
    float next = max(top, score);
    float scale = exp(top - next);
    float weight = exp(score - next);
    sum = sum * scale + weight;
    acc = acc * scale + weight * v[j * D + lane];
    top = next;
  }
  out[row * D + lane] = acc / sum;
}
