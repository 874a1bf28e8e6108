// The sum of squares is more than a half can hold; rsqrt makes 0 of it.
#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const half* x [[buffer(0)]],
                      device half* y [[buffer(1)]],
                      constant uint& width [[buffer(2)]],
                      uint row [[thread_position_in_grid]]) {
  half sum = 0.0h;
  for (uint c = 0; c < width; ++c) {
    half v = x[row * width + c];
    sum += v * v;  // BUG: not-finite
  }
  float scale = rsqrt(float(sum) / float(width) + 1e-5f);
  for (uint c = 0; c < width; ++c) y[row * width + c] = half(float(x[row * width + c]) * scale);
}
