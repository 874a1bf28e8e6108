// A loop that runs one step too far over a thread's own array.
#include <metal_stdlib>
using namespace metal;

kernel void median5(device const float* samples [[buffer(0)]],
                    device float* medians [[buffer(1)]],
                    constant uint& taps [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  float window[5];
  for (uint k = 0; k <= taps; ++k) {
    window[k] = samples[i + k];  // BUG: bounds-write
  }
  for (uint a = 0; a < 4; ++a) {
    for (uint b = 0; b < 4 - a; ++b) {
      if (window[b] > window[b + 1]) {
        float swap = window[b];
        window[b] = window[b + 1];
        window[b + 1] = swap;
      }
    }
  }
  medians[i] = window[2];
}
