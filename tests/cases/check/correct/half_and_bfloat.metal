// Mixed narrow types, accumulated in float.
#include <metal_stdlib>
using namespace metal;

kernel void mixed_dot(device const half* a [[buffer(0)]],
                      device const bfloat* b [[buffer(1)]],
                      device half* out [[buffer(2)]],
                      constant uint& width [[buffer(3)]],
                      uint row [[thread_position_in_grid]]) {
  float acc = 0.0f;
  for (uint c = 0; c < width; ++c) acc += float(a[row * width + c]) * float(b[c]);
  out[row] = half(acc);
}
