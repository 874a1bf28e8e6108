// 256 bins in device memory, counted without atomics from several threadgroups.
#include <metal_stdlib>
using namespace metal;

kernel void histogram(const device uchar* image [[buffer(0)]],
                      device uint* bins [[buffer(1)]],
                      constant uint2& size [[buffer(2)]],
                      uint2 at [[thread_position_in_grid]]) {
  if (any(at >= size)) return;
  uchar level = image[at.y * size.x + at.x];
  bins[level] = bins[level] + 1;  // BUG: race-update
}
