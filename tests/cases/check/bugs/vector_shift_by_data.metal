// A component of a uint2 shift reaches 33.
#include <metal_stdlib>
using namespace metal;

kernel void unpack(device const uint* words [[buffer(0)]],
                   device const uint2* amounts [[buffer(1)]],
                   device uint2* out [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = uint2(words[i]) >> amounts[i];  // BUG: shift-out-of-range
}
