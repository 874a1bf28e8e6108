// Products that overflow where that makes no difference, or that are limited before they are added.
#include <metal_stdlib>
using namespace metal;

kernel void saturate_products(device const half* x [[buffer(0)]],
                              device half* activated [[buffer(1)]],
                              device half* peaks [[buffer(2)]],
                              device float* totals [[buffer(3)]],
                              constant uint& width [[buffer(4)]],
                              uint row [[thread_position_in_grid]]) {
  float total = 0.0f;
  half peak = 0.0h;
  for (uint c = 0; c < width; ++c) {
    half v = x[row * width + c];
    half bell = exp(-v * v);
    activated[row * width + c] = v * tanh(0.8h * v * (v * v)) + bell;
    half square = v * v;
    total += float(min(square, 60000.0h));
    peak = isinf(square) ? 65504.0h : max(peak, square);
  }
  peaks[row] = peak;
  totals[row] = total;
}
