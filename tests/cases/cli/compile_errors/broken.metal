#include <metal_stdlib>
using namespace metal;

kernel void broken(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = undeclared;
  float y = "text";
}
