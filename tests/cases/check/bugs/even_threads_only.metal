// Pairs are swapped by even threads, which forget the other half.
#include <metal_stdlib>
using namespace metal;

kernel void swap_pairs(device const int* a [[buffer(0)]],
                       device int* b [[buffer(1)]],  // BUG: output-unwritten
                       uint i [[thread_position_in_grid]]) {
  if ((i & 1) == 0) b[i] = a[i + 1];
}
