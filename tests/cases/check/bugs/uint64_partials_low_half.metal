// The first kernel writes one half of each element, the second reads all of it.
#include <metal_stdlib>
using namespace metal;

kernel void low_words(device ulong* tmp, uint i [[thread_position_in_grid]]) {
  ((device uint*)tmp)[2 * i] = i;
}
kernel void sum_wide(device const ulong* tmp, device ulong* out,
                     uint i [[thread_position_in_grid]]) {
  out[i] = tmp[i] + 1;  // BUG: uninitialised-device
}
