// Every thread writes the same header in front of its own element.
#include <metal_stdlib>
using namespace metal;

kernel void with_header(device const float* x [[buffer(0)]],
                        device uint* header [[buffer(1)]],
                        device float* y [[buffer(2)]],
                        uint i [[thread_position_in_grid]],
                        uint n [[threads_per_grid]]) {
  header[0] = n;  // BUG: race-same-value
  y[i] = x[i];
}
