// Each thread reads the element that the next one writes.
#include <metal_stdlib>
using namespace metal;

kernel void shift_left(device const int* src [[buffer(0)]],
                       device int* dst [[buffer(1)]],
                       uint i [[thread_position_in_grid]],
                       uint l [[thread_position_in_threadgroup]]) {
  threadgroup int line[33];
  line[l] = src[i];  // BUG: race-threadgroup
  if (l == 31) line[32] = 0;
  dst[i] = line[l + 1];  // BUG: race-threadgroup (uninitialised-threadgroup)
}
