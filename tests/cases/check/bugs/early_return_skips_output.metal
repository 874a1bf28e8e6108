// Elements below the threshold should be zero, but are left alone.
#include <metal_stdlib>
using namespace metal;

kernel void soft_threshold(device const float* x [[buffer(0)]],
                           device float* y [[buffer(1)]],  // BUG: output-unwritten
                           constant float& t [[buffer(2)]],
                           uint i [[thread_position_in_grid]]) {
  float v = x[i];
  if (abs(v) <= t) return;
  y[i] = v > 0 ? v - t : v + t;
}
