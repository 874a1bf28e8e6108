// The cosine of an angle between vectors that were not normalised is above 1.
#include <metal_stdlib>
using namespace metal;

kernel void angles(device const float* cosines [[buffer(0)]],
                   device float* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = M_PI_2_F - asin(cosines[i]);  // BUG: not-finite
}
