// A thread's own loop writes each element before it reads it, so nothing has a value ahead of the loop.
#include <metal_stdlib>
using namespace metal;

kernel void running_products(device const float* in [[buffer(0)]],
                             device float* steps [[buffer(1)]],
                             device float* out [[buffer(2)]],
                             uint i [[thread_position_in_grid]]) {
  float product = 1;
  for (uint k = 0; k < 10; ++k) {
    product *= in[i * 10 + k];
    steps[i * 10 + k] = product;
    product = steps[i * 10 + k] * 0.5f;
  }
  out[i] = product;
}
