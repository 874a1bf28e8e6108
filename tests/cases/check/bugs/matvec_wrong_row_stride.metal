// Rows are `columns` apart, but the kernel steps as if each had a padding element.
#include <metal_stdlib>
using namespace metal;

kernel void matvec(device const float* matrix [[buffer(0)]],
                   device const float* vec [[buffer(1)]],
                   device float* result [[buffer(2)]],
                   constant uint& columns [[buffer(3)]],
                   uint row [[thread_position_in_grid]]) {
  float sum = 0.0f;
  for (uint c = 0; c < columns; ++c) {
    sum += matrix[row * (columns + 1) + c] * vec[c];  // BUG: bounds-read
  }
  result[row] = sum;
}
