// 1 << 64 is avoided by a condition.
#include <metal_stdlib>
using namespace metal;

template <typename T>
T low_mask(uint bits) {
  return bits >= sizeof(T) * 8 ? ~T(0) : (T(1) << bits) - T(1);
}

kernel void masks(device const uint* widths [[buffer(0)]],
                  device ulong* wide [[buffer(1)]],
                  device uint* narrow [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  wide[i] = low_mask<ulong>(widths[i]);
  narrow[i] = low_mask<uint>(widths[i]);
}
