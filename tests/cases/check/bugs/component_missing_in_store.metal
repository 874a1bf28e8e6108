// The last component of what goes to memory was forgotten.
#include <metal_stdlib>
using namespace metal;

kernel void to_homogeneous(device const packed_float3* points [[buffer(0)]],
                           device float4* out [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  float4 point;
  point.xyz = float3(points[i]);
  out[i] = point;  // BUG: uninitialised-thread
}
