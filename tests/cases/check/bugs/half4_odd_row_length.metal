// Rows of 7 halves: every second row starts in the middle of a half4.
#include <metal_stdlib>
using namespace metal;

kernel void first_columns(device const half* m [[buffer(0)]],
                          device half4* heads [[buffer(1)]],
                          constant int& row_length [[buffer(2)]],
                          uint row [[thread_position_in_grid]]) {
  device const half* start = m + row * row_length;
  heads[row] = *reinterpret_cast<device const half4*>(start);  // BUG: misaligned-access
}
