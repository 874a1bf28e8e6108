// float4 for the bulk, single floats for the rest.
#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant uint& n [[buffer(2)]],
                  constant float& factor [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if ((i + 1) * 4 <= n) {
    ((device float4*)y)[i] = ((device const float4*)x)[i] * factor;
  } else {
    for (uint k = i * 4; k < n; ++k) y[k] = x[k] * factor;
  }
}
