// The last lane asks for a neighbour that there is not; shuffle_rotate_down would give it lane 0's.
#include <metal_stdlib>
using namespace metal;

kernel void neighbours(device const half* x [[buffer(0)]],
                       device half* y [[buffer(1)]],
                       uint i [[thread_position_in_grid]],
                       ushort lane [[thread_index_in_simdgroup]]) {
  half around = simd_shuffle_rotate_down(x[i], 1);
  half next = simd_shuffle(x[i], ushort(lane + 1));  // BUG: missing-lane
  y[i] = next - around;
}
