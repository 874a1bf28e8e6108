// Every thread swaps, also the one on the other side of the diagonal.
#include <metal_stdlib>
using namespace metal;

kernel void transpose_square(device float* m [[buffer(0)]],
                             constant uint& n [[buffer(1)]],
                             uint2 at [[thread_position_in_grid]]) {
  if (at.x >= n || at.y >= n || at.x == at.y) return;
  float upper = m[at.y * n + at.x];  // BUG: race-device
  float lower = m[at.x * n + at.y];  // BUG: race-device
  m[at.y * n + at.x] = lower;  // BUG: race-device
  m[at.x * n + at.y] = upper;  // BUG: race-device
}
