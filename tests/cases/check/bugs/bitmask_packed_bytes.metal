// Eight threads set their bit in the same byte.
#include <metal_stdlib>
using namespace metal;

kernel void pack_mask(device const float* x [[buffer(0)]],
                      device uchar* bits [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  if (x[i] > 3.0f) {
    bits[i / 8] |= uchar(1u << (i % 8));  // BUG: race-update
  }
}
