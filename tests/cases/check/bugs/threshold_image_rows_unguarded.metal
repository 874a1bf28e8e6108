// Columns are guarded, rows are not: the grid's last row of threadgroups hangs over the image.
#include <metal_stdlib>
using namespace metal;

kernel void threshold(device const uchar* image [[buffer(0)]],
                      device uchar* mask [[buffer(1)]],
                      constant uint& width [[buffer(2)]],
                      constant uint& height [[buffer(3)]],
                      uint2 p [[thread_position_in_grid]]) {
  if (p.x >= width) return;
  uint at = p.y * width + p.x;
  uchar value = image[at];  // BUG: bounds-read
  mask[at] = value > 40 ? 255 : 0;  // BUG: bounds-write
}
