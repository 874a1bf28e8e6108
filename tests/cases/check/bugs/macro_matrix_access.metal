// The access hides in a macro; the line is the one that uses it.
#include <metal_stdlib>
using namespace metal;

#define AT(m, r, c, ld) ((m)[(r) * (ld) + (c)])

kernel void trace_blocks(device const float* m [[buffer(0)]],
                         device float* traces [[buffer(1)]],
                         constant uint& n [[buffer(2)]],
                         uint b [[thread_position_in_grid]]) {
  float t = 0.0f;
  for (uint d = 0; d < 3; ++d) {
    t += AT(m, b * 3 + d, b * 3 + d + 1, n);  // BUG: bounds-read
  }
  traces[b] = t;
}
