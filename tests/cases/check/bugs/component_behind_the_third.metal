// A vector of three has room for a fourth component, but no value there.
#include <metal_stdlib>
using namespace metal;

kernel void traces(device const packed_float3* rows [[buffer(0)]],
                   device float* out [[buffer(1)]],
                   constant uint& dimensions [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float3 row = rows[i];
  float sum = 0.0f;
  for (uint k = 0; k < dimensions; ++k) {
    sum += row[k];  // BUG: bounds-read
  }
  out[i] = sum;
}
