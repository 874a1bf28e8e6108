// Vectors of three numbers have room for a fourth that nobody writes.
#include <metal_stdlib>
using namespace metal;

kernel void normals(device const packed_float3* a [[buffer(0)]],
                    device float3* whole [[buffer(1)]],
                    device half3* parts [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  float3 v = float3(a[i]) + 2.0f;
  whole[i] = normalize(v);
  parts[i].x = half(v.y);
  parts[i].y = half(v.z);
  parts[i].z = half(v.x);
}
