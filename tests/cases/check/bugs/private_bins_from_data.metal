// Eight private counters, but the data has values up to nine.
#include <metal_stdlib>
using namespace metal;

kernel void modes(device const uchar* votes [[buffer(0)]],
                  device uchar* winner [[buffer(1)]],
                  constant uint& per_thread [[buffer(2)]],
                  uint t [[thread_position_in_grid]]) {
  uint bins[8];
  for (uint b = 0; b < 8; ++b) bins[b] = 0;
  for (uint k = 0; k < per_thread; ++k) {
    bins[votes[t * per_thread + k]] += 1;  // BUG: bounds-read (bounds-write)
  }
  uchar best = 0;
  for (uint b = 1; b < 8; ++b) {
    if (bins[b] > bins[best]) best = uchar(b);
  }
  winner[t] = best;
}
