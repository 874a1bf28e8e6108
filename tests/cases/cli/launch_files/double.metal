#include <metal_stdlib>
using namespace metal;

kernel void iota(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = i; }

kernel void twice(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= 2; }

kernel void copy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
}
