// Writes from the end backwards, one place too far: n - i instead of n - 1 - i.
#include <metal_stdlib>
using namespace metal;

kernel void reversed_from_the_length(device const float* x [[buffer(0)]],
                                     device float* out [[buffer(1)]],
                                     constant int& n [[buffer(2)]],
                                     int i [[thread_position_in_grid]]) {
  out[n - i] = x[i];  // BUG: bounds-write
}
