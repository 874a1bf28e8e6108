// Neighbours are clamped to the row.
#include <metal_stdlib>
using namespace metal;

kernel void blur3(device const float* in [[buffer(0)]],
                  device float* out [[buffer(1)]],
                  constant uint& n [[buffer(2)]],
                  uint gid [[thread_position_in_grid]]) {
  if (gid >= n) return;
  uint left = gid == 0 ? 0 : gid - 1;
  uint right = min(gid + 1, n - 1);
  out[gid] = 0.25f * in[left] + 0.5f * in[gid] + 0.25f * in[right];
}
