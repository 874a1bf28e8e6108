// A signed window, tested on both sides.
#include <metal_stdlib>
using namespace metal;

kernel void conv1d(device const float* signal [[buffer(0)]],
                   device const float* taps [[buffer(1)]],
                   device float* filtered [[buffer(2)]],
                   constant int& length [[buffer(3)]],
                   constant int& radius [[buffer(4)]],
                   uint tid [[thread_position_in_grid]]) {
  float acc = 0.0f;
  for (int k = -radius; k <= radius; ++k) {
    int j = int(tid) + k;
    if (j >= 0 && j < length) acc += signal[j] * taps[k + radius];
  }
  filtered[tid] = acc;
}
