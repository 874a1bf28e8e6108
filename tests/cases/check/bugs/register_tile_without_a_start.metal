// The rows of the tile are added to before they are cleared.
#include <metal_stdlib>
using namespace metal;

kernel void tile_product(device const float* a [[buffer(0)]],
                         device const float2* b [[buffer(1)]],
                         device float2* c [[buffer(2)]],
                         uint i [[thread_position_in_grid]]) {
  float2 tile[3];
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 4; ++k) {
      tile[r] = fma(float2(a[r * 4 + k]), b[k], tile[r]);  // BUG: uninitialised-thread
    }
  }
  for (int r = 0; r < 3; ++r) c[i * 3 + r] = tile[r];
}
