// (1 << bits) - 1 with bits = 64.
#include <metal_stdlib>
using namespace metal;

template <typename T>
T low_mask(uint bits) {
  return (T(1) << bits) - T(1);  // BUG: shift-out-of-range
}

kernel void masks(device const uint* widths [[buffer(0)]],
                  device ulong* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  out[i] = low_mask<ulong>(widths[i]);
}
