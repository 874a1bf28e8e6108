// A constant pitch of 65536, which compilers turn into a shift.
#include <metal_stdlib>
using namespace metal;

#define PITCH 65536u

static float texel(device const float* atlas, uint2 at) {
  return atlas[at.y * PITCH + at.x];  // BUG: index-wrap
}

kernel void sample_two(device const float* atlas [[buffer(0)]],
                       device const uint2* where_to [[buffer(1)]],
                       device float* out [[buffer(2)]],
                       uint i [[thread_position_in_grid]]) {
  float here = texel(atlas, where_to[i]);
  float next = texel(atlas, where_to[i] + uint2(1, 0));
  out[i] = 0.5f * (here + next);
}
