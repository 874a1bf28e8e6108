// 2-D grid of whole threadgroups over an odd image.
#include <metal_stdlib>
using namespace metal;

kernel void threshold(device const uchar* image [[buffer(0)]],
                      device uchar* mask [[buffer(1)]],
                      constant uint2& size [[buffer(2)]],
                      uint2 p [[thread_position_in_grid]]) {
  if (any(p >= size)) return;
  uint at = p.y * size.x + p.x;
  mask[at] = image[at] > 40 ? 255 : 0;
}
