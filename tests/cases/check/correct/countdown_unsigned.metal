// An unsigned loop that counts down to zero.
#include <metal_stdlib>
using namespace metal;

kernel void horner(device const float* coefficients [[buffer(0)]],
                   device const float* x [[buffer(1)]],
                   device float* y [[buffer(2)]],
                   constant uint& degree [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  float acc = 0.0f;
  for (uint k = degree + 1; k-- > 0;) acc = acc * x[i] + coefficients[k];
  y[i] = acc;
}
