// Partial terms go below zero, the index as a whole does not.
#include <metal_stdlib>
using namespace metal;

kernel void crop(device const int* image [[buffer(0)]],
                 device int* out [[buffer(1)]],
                 constant uint& pitch [[buffer(2)]],
                 constant uint& border [[buffer(3)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 n [[threads_per_grid]]) {
  uint dx = p.x - border;
  uint dy = p.y - border;
  out[p.y * n.x + p.x] = image[(dy + border) * pitch + dx + border];
}
