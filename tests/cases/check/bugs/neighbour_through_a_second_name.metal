// `to` is the array that `from` is, one element further: threads read what others write.
#include <metal_stdlib>
using namespace metal;

kernel void shift(device const int* from [[buffer(0)]],
                  device int* to [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  to[i] = from[i] + 1;  // BUG: race-device
}
