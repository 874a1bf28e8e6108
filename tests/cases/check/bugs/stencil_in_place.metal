// A three-point stencil that overwrites its own input.
#include <metal_stdlib>
using namespace metal;

kernel void smooth(device float* u [[buffer(0)]],
                   constant uint& n [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  if (i == 0 || i >= n - 1) return;
  u[i] = (u[i - 1] + u[i] + u[i + 1]) / 3.0f;  // BUG: race-device
}
