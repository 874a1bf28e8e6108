// Every thread reads and writes its own element.
#include <metal_stdlib>
using namespace metal;

kernel void gelu_in_place(device bfloat* x [[buffer(0)]],
                          uint i [[thread_position_in_grid]]) {
  float v = float(x[i]);
  x[i] = bfloat(0.5f * v * (1.0f + tanh(0.7978845f * (v + 0.044715f * v * v * v))));
}
