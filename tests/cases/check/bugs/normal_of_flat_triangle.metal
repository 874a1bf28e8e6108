#include <metal_stdlib>
using namespace metal;

kernel void normals(device const packed_float3* p, device const packed_uint3* tri,
                    device packed_float3* n, uint i [[thread_position_in_grid]]) {
  packed_uint3 t = tri[i];
  float3 a = p[t[0]], b = p[t[1]], c = p[t[2]];
  float3 v = normalize(cross(b - a, c - a));  // BUG: not-finite
  n[i] = packed_float3(v);                    // BUG: (not-finite)
}
