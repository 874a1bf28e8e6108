// A pointer is moved back to where counting from one starts, as in translated Fortran.
#include <metal_stdlib>
using namespace metal;

kernel void one_based(device const float* a [[buffer(0)]],
                      device float* b [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  device const float* a1 = a - 1;
  b[i] = a1[i + 1] + 1.0f;
}
