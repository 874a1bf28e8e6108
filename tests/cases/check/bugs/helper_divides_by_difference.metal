// A helper that maps a range to bins: an empty range divides by zero. Called from two places.
#include <metal_stdlib>
using namespace metal;

inline uint to_bin(ulong value, ulong low, ulong high, uint bins) {
  return uint((value - low) * bins / (high - low));  // BUG: division-by-zero
}

kernel void bin_pairs(device const ulong* values [[buffer(0)]],
                      device const ulong* limits [[buffer(1)]],
                      device uint2* out [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  uint wide = to_bin(values[i], 0, 1000, 10);
  uint narrow = to_bin(values[i], limits[0], limits[1], 10);
  out[i] = uint2(wide, narrow);
}
