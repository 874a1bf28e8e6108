// A thread's own array, filled and sorted within its bounds.
#include <metal_stdlib>
using namespace metal;

kernel void median5(device const float* samples [[buffer(0)]],
                    device float* medians [[buffer(1)]],
                    constant uint& n [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  float window[5];
  for (uint k = 0; k < 5; ++k) {
    uint at = i + k < 2 ? 0 : min(i + k - 2, n - 1);
    window[k] = samples[at];
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
