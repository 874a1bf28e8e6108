// The total is handed on by reference and never starts from zero.
#include <metal_stdlib>
using namespace metal;

void add_square(thread float& total, float value) {
  total += value * value;  // BUG: uninitialised-thread
}

void add_row(thread float& total, device const float* row, uint width) {
  for (uint c = 0; c < width; ++c) add_square(total, row[c]);
}

kernel void row_norms(device const float* x [[buffer(0)]],
                      device float* norms [[buffer(1)]],
                      constant uint& width [[buffer(2)]],
                      uint row [[thread_position_in_grid]]) {
  float total;
  add_row(total, x + row * width, width);
  norms[row] = sqrt(total);
}
