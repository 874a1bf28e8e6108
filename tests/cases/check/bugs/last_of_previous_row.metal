// row * D - 1 for row 0.
#include <metal_stdlib>
using namespace metal;

kernel void carry_in(device const float* x [[buffer(0)]],
                     device float* y [[buffer(1)]],
                     constant uint& D [[buffer(2)]],
                     uint row [[thread_position_in_grid]]) {
  uint idx = row * D - 1;  // BUG: index-wrap | bounds-read
  y[row] = x[idx];  // BUG: index-wrap | bounds-read
}
