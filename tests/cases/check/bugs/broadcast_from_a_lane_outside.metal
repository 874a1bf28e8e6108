// Lane 0 holds the reference value, but is not among those that ask for it.
#include <metal_stdlib>
using namespace metal;

kernel void offsets(device const int* x [[buffer(0)]],
                    device int* y [[buffer(1)]],
                    uint i [[thread_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  int value = x[i];
  if (lane != 0) {
    value -= simd_broadcast(value, 0);  // BUG: missing-lane
  }
  y[i] = 2 * value;
}
