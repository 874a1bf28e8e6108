// Gradient of a gather: several rows go to the same target.
#include <metal_stdlib>
using namespace metal;

kernel void scatter_add(device const int* indices [[buffer(0)]],
                        device const float* values [[buffer(1)]],
                        device float* grad [[buffer(2)]],
                        uint i [[thread_position_in_grid]]) {
  grad[indices[i]] += values[i];  // BUG: race-update
}
