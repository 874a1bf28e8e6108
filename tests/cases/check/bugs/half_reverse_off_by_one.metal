// n - i instead of n - 1 - i.
#include <metal_stdlib>
using namespace metal;

kernel void reverse_half(device const half* a [[buffer(0)]],
                         device half* b [[buffer(1)]],
                         constant uint& n [[buffer(2)]],
                         uint i [[thread_position_in_grid]]) {
  if (i < n) {
    b[n - i] = a[i];  // BUG: bounds-write
  }
}
