// Test and store of the best value are two steps.
#include <metal_stdlib>
using namespace metal;

kernel void global_max(device const int* x [[buffer(0)]],
                       device int* best [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  if (x[i] > best[0]) {  // BUG: race-update | race-device
    best[0] = x[i];  // BUG: race-update | race-device
  }
}
