// Every thread writes its own opinion into the one flag.
#include <metal_stdlib>
using namespace metal;

kernel void all_positive(device const float* x [[buffer(0)]],
                         device bool* verdict [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  verdict[0] = x[i] > 10.0f;  // BUG: race-device
}
