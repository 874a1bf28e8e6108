// += into an output that has no initial value.
#include <metal_stdlib>
using namespace metal;

kernel void dot_rows(device const float* a [[buffer(0)]],
                     device const float* b [[buffer(1)]],
                     device float* out [[buffer(2)]],
                     constant int& width [[buffer(3)]],
                     uint row [[thread_position_in_grid]]) {
  for (int c = 0; c < width; ++c) {
    out[row] += a[row * width + c] * b[row * width + c];  // BUG: uninitialised-device
  }
}
