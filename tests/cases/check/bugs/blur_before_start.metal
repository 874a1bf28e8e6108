// The left neighbour of element 0: an unsigned 0 - 1.
#include <metal_stdlib>
using namespace metal;

kernel void blur3(device const float* in [[buffer(0)]],
                  device float* out [[buffer(1)]],
                  constant uint& n [[buffer(2)]],
                  uint gid [[thread_position_in_grid]]) {
  if (gid >= n) return;
  float right = gid + 1 < n ? in[gid + 1] : in[gid];
  float left = in[gid - 1];  // BUG: bounds-read | index-wrap
  out[gid] = 0.25f * left + 0.5f * in[gid] + 0.25f * right;
}
