// Only opaque pixels are read, all are written.
#include <metal_stdlib>
using namespace metal;

kernel void brighten(device const half4* pixels [[buffer(0)]],
                     device half4* out [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  half4 pixel;
  if (pixels[i].w > 4.0h) pixel = pixels[i];
  out[i] = 0.5h * pixel;  // BUG: uninitialised-thread
}
