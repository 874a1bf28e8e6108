// Optional bias and activation by function constants.
#include <metal_stdlib>
using namespace metal;

constant bool use_bias [[function_constant(0)]];
constant int activation [[function_constant(1)]];

kernel void finish(device const float* x [[buffer(0)]],
                   device const float* bias [[buffer(1)]],
                   device float* y [[buffer(2)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 n [[threads_per_grid]]) {
  float v = x[p.y * n.x + p.x];
  if (use_bias) v += bias[p.x];
  if (activation == 1) v = max(v, 0.0f);
  if (activation == 2) v = v / (1.0f + exp(-v));
  y[p.y * n.x + p.x] = v;
}
