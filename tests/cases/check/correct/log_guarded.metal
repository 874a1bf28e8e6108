// Zero probabilities are taken out before the logarithm.
#include <metal_stdlib>
using namespace metal;

kernel void entropy_terms(device const float* p [[buffer(0)]],
                          device float* terms [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
  terms[i] = p[i] > 0.0f ? -p[i] * log(p[i]) : 0.0f;
}
