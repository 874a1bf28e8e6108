// Counts down in steps of three from an index that is no multiple of three, and wraps below 0.
#include <metal_stdlib>
using namespace metal;

kernel void every_third(device const float* in [[buffer(0)]],
                        device float* out [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  float sum = 0;
  uint at = i + 12;
  for (uint k = 0; k < 6; ++k, at -= 3) {
    sum += in[at];  // BUG: bounds-read
  }
  out[i] = sum;
}
