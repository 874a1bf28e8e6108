// The last column of the matrix is missing.
#include <metal_stdlib>
using namespace metal;

kernel void rotate(device const float3* axes [[buffer(0)]],
                   device const float3* points [[buffer(1)]],
                   device float3* out [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float3x3 basis;
  basis[0] = axes[0];
  basis[1] = axes[1];
  out[i] = basis * points[i];  // BUG: uninitialised-thread
}
