// Far fewer threads than elements, each takes every 32nd.
#include <metal_stdlib>
using namespace metal;

kernel void accumulate(device const float* x [[buffer(0)]],
                       device float* y [[buffer(1)]],
                       constant uint& n [[buffer(2)]],
                       uint index [[thread_position_in_grid]],
                       uint step [[threads_per_grid]]) {
  for (uint i = index; i < n; i += step) y[i] += x[i];
}
