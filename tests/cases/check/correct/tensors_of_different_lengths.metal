// An array of pointers, each with a length of its own.
#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float* a [[buffer(0)]],
                    device const float* b [[buffer(1)]],
                    device const float* c [[buffer(2)]],
                    device float* out [[buffer(3)]],
                    constant int* lengths [[buffer(4)]],
                    uint i [[thread_position_in_grid]]) {
  device const float* tensors[3] = {a, b, c};
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (int(i) < lengths[k]) sum += tensors[k][i] * tensors[k][i];
  }
  out[i] = sum;
}
