// Inclusive scan with simd_shuffle_up, no memory at all.
#include <metal_stdlib>
using namespace metal;

kernel void scan32(device const int* in [[buffer(0)]],
                   device int* out [[buffer(1)]],
                   uint gid [[thread_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  int value = in[gid];
  for (ushort delta = 1; delta < 32; delta <<= 1) {
    int below = simd_shuffle_up(value, delta);
    if (lane >= delta) value += below;
  }
  out[gid] = value;
}
