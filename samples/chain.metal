// log(exp(cos(sin x))): a chain of math functions that should cost little more than a copy.
#include <metal_stdlib>
using namespace metal;

kernel void chain(device const float* x [[buffer(0)]],
                  device float* result [[buffer(1)]],
                  uint index [[thread_position_in_grid]]) {
  result[index] = log(exp(cos(sin(x[index]))));
}
