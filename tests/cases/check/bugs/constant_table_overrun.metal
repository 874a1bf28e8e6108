// Five coefficients, indexed 0 to 5.
#include <metal_stdlib>
using namespace metal;

constant float kBinomial[5] = {1.0f, 4.0f, 6.0f, 4.0f, 1.0f};

kernel void weights(device float* out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  float w = kBinomial[i % 6];  // BUG: bounds-read
  out[i] = w / 16.0f;
}
