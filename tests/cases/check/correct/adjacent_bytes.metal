// Neighbouring threads write neighbouring bytes of the same word.
#include <metal_stdlib>
using namespace metal;

kernel void to_bytes(device const uint* words [[buffer(0)]],
                     device uchar* bytes [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  bytes[i] = uchar(words[i / 4] >> (8 * (i % 4)));
}
