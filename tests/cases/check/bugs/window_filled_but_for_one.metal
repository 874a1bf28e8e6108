// The window has five elements, of which four are filled.
#include <metal_stdlib>
using namespace metal;

struct Window {
  float taps[5];
  uint filled;
};

kernel void smooth(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  Window window;
  window.filled = 0;
  for (uint k = 0; k < 4; ++k) {
    window.taps[k] = x[i + k];
    ++window.filled;
  }
  float sum = 0.0f;
  for (uint k = 0; k < 5; ++k) sum += window.taps[k];  // BUG: uninitialised-thread
  y[i] = sum / float(window.filled);
}
