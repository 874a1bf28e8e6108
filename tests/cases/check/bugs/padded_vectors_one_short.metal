// The padding of the last row is not all that is missing.
#include <metal_stdlib>
using namespace metal;

kernel void centres(device const float* x [[buffer(0)]],
                    device float3* y [[buffer(1)]],  // BUG: output-unwritten
                    constant uint& n [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  if (i + 1 < n) y[i] = float3(x[i], x[i + 1], 0.5f * (x[i] + x[i + 1]));
}
