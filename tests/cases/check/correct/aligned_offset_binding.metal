// A buffer bound 16 bytes into an array: float4 is fine there.
#include <metal_stdlib>
using namespace metal;

kernel void sum4(device const float4* v [[buffer(0)]],
                 device float* out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(v[i], float4(1.0f));
}
