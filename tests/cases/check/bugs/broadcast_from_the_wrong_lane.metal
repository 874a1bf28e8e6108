// Lane 0 has the value, lane 1 is asked for it.
#include <metal_stdlib>
using namespace metal;

kernel void share(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {
  float value;
  if (lane == 0) value = x[i];
  float shared = simd_broadcast(value, 1);  // BUG: uninitialised-thread
  y[i] = shared;
}
