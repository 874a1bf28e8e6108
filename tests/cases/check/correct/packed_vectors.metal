// packed_float3 and packed_half4 at addresses that suit their elements only.
#include <metal_stdlib>
using namespace metal;

kernel void pack(device const packed_float3* points [[buffer(0)]],
                 device packed_half4* out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float3 p = float3(points[i]);
  out[i] = packed_half4(half4(half3(p), 1.0h));
}
