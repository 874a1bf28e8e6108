// y = a * x + y, one element per thread. The grid may be larger than the arrays.
#include <metal_stdlib>
using namespace metal;

kernel void axpy(device const float* x [[buffer(0)]],
                 device float* y [[buffer(1)]],
                 constant float& a [[buffer(2)]],
                 constant uint& count [[buffer(3)]],
                 uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  y[index] = fma(a, x[index], y[index]);
}
