// The whole body stands in the guard of the image, the barrier with it.
#include <metal_stdlib>
using namespace metal;

kernel void emboss(device const uchar* src [[buffer(0)]],
                   device uchar* dst [[buffer(1)]],
                   constant uint& w [[buffer(2)]],
                   constant uint& h [[buffer(3)]],
                   uint2 gid [[thread_position_in_grid]],
                   uint2 lid [[thread_position_in_threadgroup]]) {
  threadgroup uchar tile[4][4];
  if (gid.x < w && gid.y < h) {
    tile[lid.y][lid.x] = src[gid.y * w + gid.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // BUG: barrier-divergence
    dst[gid.y * w + gid.x] = 255 - tile[lid.y][lid.x];
  }
}
