// The grid has rows, the index has only the column.
#include <metal_stdlib>
using namespace metal;

kernel void totals(device const float* image [[buffer(0)]],
                   device float* columns [[buffer(1)]],
                   constant uint& width [[buffer(2)]],
                   uint2 at [[thread_position_in_grid]]) {
  columns[at.x] = image[at.y * width + at.x] * 0.5f;  // BUG: race-device
}
