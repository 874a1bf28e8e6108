// The payload starts behind one header float; float4 needs 16 bytes.
#include <metal_stdlib>
using namespace metal;

kernel void sum_payload(device const float* message [[buffer(0)]],
                        device float* sums [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  device const float4* payload = (device const float4*)(message + 1);
  float4 v = payload[i];  // BUG: misaligned-access
  sums[i] = v.x + v.y + v.z + v.w;
}
