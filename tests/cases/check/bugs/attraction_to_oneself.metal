// Every body attracts itself, too, at a distance of 0; sums of vectors carry that on.
#include <metal_stdlib>
using namespace metal;

kernel void attract(device const float4* bodies [[buffer(0)]],
                    device float4* forces [[buffer(1)]],
                    constant uint& count [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  float3 force = 0.0f;
  for (uint k = 0; k < count; ++k) {
    float3 way = bodies[k].xyz - bodies[i].xyz;
    float inverse = rsqrt(length_squared(way));  // BUG: not-finite
    force += way * (bodies[k].w * inverse * inverse * inverse);
  }
  forces[i] = float4(force, 0.0f);
}
