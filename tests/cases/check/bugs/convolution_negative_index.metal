// A signed window that starts left of the row; only the right side is clamped.
#include <metal_stdlib>
using namespace metal;

kernel void conv1d(device const float* signal [[buffer(0)]],
                   device const float* taps [[buffer(1)]],
                   device float* filtered [[buffer(2)]],
                   constant int& length [[buffer(3)]],
                   constant int& radius [[buffer(4)]],
                   uint tid [[thread_position_in_grid]]) {
  int centre = int(tid);
  float acc = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    int j = min(centre + k, length - 1);
    acc += signal[j] * taps[k + radius];  // BUG: bounds-read (index-wrap)
  }
  filtered[tid] = acc;
}
