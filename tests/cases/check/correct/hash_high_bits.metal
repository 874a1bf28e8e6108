// The index is the upper bits of a wrapping product.
#include <metal_stdlib>
using namespace metal;

kernel void bucket_of(device const uint* keys [[buffer(0)]],
                      device const uint* table [[buffer(1)]],
                      device uint* out [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  uint h = keys[i] * 2654435769u;
  h ^= h >> 15;
  h = h * 2246822519u + 3266489917u;
  out[i] = table[h >> 27] + table[h % 32u];
}
