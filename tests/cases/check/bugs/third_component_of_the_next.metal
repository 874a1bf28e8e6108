// Three elements for each thread, but the last one is counted from one.
#include <metal_stdlib>
using namespace metal;

kernel void split(device const packed_float3* colours [[buffer(0)]],
                  device float* parts [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  float3 colour = colours[i];
  parts[3 * i] = colour.x;  // BUG: race-device
  parts[3 * i + 1] = colour.y;
  parts[3 * i + 3] = colour.z;  // BUG: race-device
}
