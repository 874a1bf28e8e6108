#include <metal_stdlib>
using namespace metal;

// Multi-tensor apply over an array of pointers: the second tensor is shorter.
kernel void l2(device const float* a, device const float* b, device const float* c,
               device float* out, uint i [[thread_position_in_grid]]) {
  device const float* tensors[3] = {a, b, c};
  float s = 0;
  for (uint k = 0; k < 3; ++k) s += tensors[k][i] * tensors[k][i];  // BUG: bounds-read
  out[i] = s;
}
