// float3 takes 16 bytes; nobody writes the fourth word, and nobody has to.
#include <metal_stdlib>
using namespace metal;

kernel void cross_products(device const float3* a [[buffer(0)]],
                           device const float3* b [[buffer(1)]],
                           device float3* c [[buffer(2)]],
                           uint i [[thread_position_in_grid]]) {
  c[i] = cross(a[i], b[i]);
}
