// One of the rows has one element, so that its loop is none.
#include <metal_stdlib>
using namespace metal;

kernel void triangle(device const float* x [[buffer(0)]],
                     device float* y [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  float rows[2][2];
  for (int r = 0; r < 2; ++r) {
    for (int c = r; c < 2; ++c) rows[r][c] = x[i + 3 * r + c];
  }
  y[i] = rows[0][0] * rows[1][1] - rows[0][1];
}
