// Only one triangle of the matrix is filled.
#include <metal_stdlib>
using namespace metal;

kernel void trace_of_transpose(device const float* x [[buffer(0)]],
                               device float* y [[buffer(1)]],
                               uint i [[thread_position_in_grid]]) {
  float2x2 m;
  for (int c = 0; c < 2; ++c) {
    for (int r = c; r < 2; ++r) m[c][r] = x[i + 2 * c + r];
  }
  float2x2 t = transpose(m);
  y[i] = t[0].x + t[1].y;
  y[i] += t[0].y;  // BUG: uninitialised-thread
}
