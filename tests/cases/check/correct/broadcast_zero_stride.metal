// A broadcast view: stride 0 along rows, many threads read the same element.
#include <metal_stdlib>
using namespace metal;

kernel void add_bias(device const float* x [[buffer(0)]],
                     device const float* bias [[buffer(1)]],
                     device float* y [[buffer(2)]],
                     constant int2& bias_strides [[buffer(3)]],
                     uint2 p [[thread_position_in_grid]],
                     uint2 n [[threads_per_grid]]) {
  uint at = p.y * n.x + p.x;
  y[at] = x[at] + bias[p.y * bias_strides.x + p.x * bias_strides.y];
}
