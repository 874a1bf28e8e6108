// The thread's position in its group where the position in the grid is meant.
#include <metal_stdlib>
using namespace metal;

kernel void square(device const float* a [[buffer(0)]],
                   device float* b [[buffer(1)]],
                   uint lid [[thread_position_in_threadgroup]],
                   uint gid [[thread_position_in_grid]]) {
  b[lid] = a[gid] * a[gid];  // BUG: race-device
}
