// log(exp(cos(sin x))): arithmetic on data that comes from memory once.
#include <metal_stdlib>
using namespace metal;

kernel void chain(const device float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = log(exp(cos(sin(x[i]))));
}
