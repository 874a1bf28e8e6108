// <= in the condition: only the last round of the loop reads beyond the row, and only of the last row.
#include <metal_stdlib>
using namespace metal;

kernel void row_maximum(device const float* rows [[buffer(0)]],
                        device float* out [[buffer(1)]],
                        constant uint& width [[buffer(2)]],
                        uint row [[thread_position_in_grid]]) {
  float largest = -INFINITY;
  for (uint c = 0; c <= width; ++c) {
    largest = max(largest, rows[row * width + c]);  // BUG: bounds-read
  }
  out[row] = largest;
}
