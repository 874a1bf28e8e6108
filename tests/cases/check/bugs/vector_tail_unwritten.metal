// The scalar tail after the float4 loop is missing.
#include <metal_stdlib>
using namespace metal;

kernel void scale4(device const float4* x [[buffer(0)]],
                   device float4* y [[buffer(1)]],  // BUG: output-unwritten
                   constant uint& n [[buffer(2)]],
                   constant float& factor [[buffer(3)]],
                   uint i [[thread_position_in_grid]]) {
  if ((i + 1) * 4 <= n) y[i] = x[i] * factor;
}
