// The sum of the points does not start from zero.
#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float4* points [[buffer(0)]],
                   device float4* centres [[buffer(1)]],
                   constant uint& count [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float4 sum;
  for (uint k = 0; k < count; ++k) {
    sum += points[i * count + k];  // BUG: uninitialised-thread
  }
  centres[i] = sum / float(count);
}
