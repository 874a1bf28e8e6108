// Arrays of pointers into a thread's own memory, into constants and into buffers.
#include <metal_stdlib>
using namespace metal;

constant float kLow[4] = {1, 2, 3, 4};
constant float kHigh[4] = {10, 20, 30, 40};

kernel void mix_tables(device const float* a [[buffer(0)]],
                       device const float* b [[buffer(1)]],
                       device float* out [[buffer(2)]],
                       device const int* which [[buffer(3)]],
                       uint i [[thread_position_in_grid]]) {
  float first[4], second[4];
  thread float* scratch[2] = {first, second};
  constant float* tables[2] = {kLow, kHigh};
  device const float* inputs[2] = {a, b};
  int w = which[i] & 1;
  for (int k = 0; k < 4; ++k) {
    scratch[w][k] = tables[1 - w][k];
    scratch[1 - w][k] = tables[w][k] + inputs[w][i];
  }
  out[i] = first[i & 3] + scratch[w][3] * second[2] + *(inputs[1 - w] + i);
}
