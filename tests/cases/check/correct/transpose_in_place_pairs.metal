// Only the thread above the diagonal swaps.
#include <metal_stdlib>
using namespace metal;

kernel void transpose_square(device float* m [[buffer(0)]],
                             constant uint& n [[buffer(1)]],
                             uint2 at [[thread_position_in_grid]]) {
  if (at.x >= n || at.y >= at.x) return;
  float upper = m[at.y * n + at.x];
  float lower = m[at.x * n + at.y];
  m[at.y * n + at.x] = lower;
  m[at.x * n + at.y] = upper;
}
