// Normalising a vector of zeros.
#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const packed_float3* v [[buffer(0)]],
                      device packed_float3* u [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  float3 a = float3(v[i]);
  float len = sqrt(dot(a, a));
  u[i] = packed_float3(a / len);  // BUG: not-finite
}
