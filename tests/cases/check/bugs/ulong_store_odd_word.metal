// 64-bit stores at every odd 32-bit word.
#include <metal_stdlib>
using namespace metal;

kernel void write_pairs(device const uint* hi [[buffer(0)]],
                        device uint* words [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  ulong both = (ulong(hi[i]) << 32) | i;
  device ulong* slot = (device ulong*)&words[3 * i];
  *slot = both;  // BUG: misaligned-access
}
