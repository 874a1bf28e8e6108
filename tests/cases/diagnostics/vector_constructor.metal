#include <metal_stdlib>
using namespace metal;
kernel void k(device uint4* out, constant packed_float3& p, uint i [[thread_position_in_grid]]) {
  out[i] = uint4(i, uint2(0));
  float2 v = float2(1, 2, 3);
  float3 q = p * out;
}
