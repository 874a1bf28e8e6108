// Four products at a time that do not fit half.
#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float4* x [[buffer(0)]],
                  device half4* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  out[i] = half4(x[i] * 30000.0f);  // BUG: not-finite
}
