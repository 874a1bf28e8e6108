// Four lanes of a quad work on one pixel block.
#include <metal_stdlib>
using namespace metal;

kernel void quad_means(device const float* x [[buffer(0)]],
                       device float* means [[buffer(1)]],
                       uint i [[thread_position_in_grid]],
                       uint lane [[thread_index_in_quadgroup]]) {
  float v = x[i];
  v += quad_shuffle_xor(v, ushort(1));
  v += quad_shuffle_xor(v, ushort(2));
  if (lane == 0) means[i / 4] = v * 0.25f;
}
