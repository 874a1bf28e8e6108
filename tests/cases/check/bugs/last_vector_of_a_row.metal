// The last simdgroup is whole, but its last vector is not in the array any more.
#include <metal_stdlib>
using namespace metal;

kernel void last_vector_of_a_row(device const float4* x [[buffer(0)]],
                                 device float4* out [[buffer(1)]],
                                 uint i [[thread_position_in_grid]]) {
  float4 value = x[i];  // BUG: bounds-read
  out[i] = value * 2;
}
