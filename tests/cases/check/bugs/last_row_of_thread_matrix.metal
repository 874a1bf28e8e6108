// A thread's own matrix, one column too far.
#include <metal_stdlib>
using namespace metal;

kernel void shifted(device const float* in [[buffer(0)]],
                    device float* out [[buffer(1)]],
                    constant uint& columns [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  float m[4][3];
  for (uint r = 0; r < 4; ++r) {
    for (uint c = 0; c < columns; ++c) {
      m[r][c] = in[(r * 4 + c + i) % 16];  // BUG: bounds-write
    }
  }
  out[i] = m[0][0] + m[i % 4][2];
}
