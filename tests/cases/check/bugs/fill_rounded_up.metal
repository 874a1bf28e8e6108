// The host rounds the grid up to a multiple of 128; the guard compares with the wrong bound.
#include <metal_stdlib>
using namespace metal;

kernel void fill(device half* out [[buffer(0)]],
                 constant float& value [[buffer(1)]],
                 constant uint& size [[buffer(2)]],
                 uint index [[thread_position_in_grid]]) {
  if (index <= size) {
    out[index] = half(value);  // BUG: bounds-write
  }
}
