// The same in int: plane 4 of planes with 2^30 elements.
#include <metal_stdlib>
using namespace metal;

kernel void read_plane(device const int* volume [[buffer(0)]],
                       device int* out [[buffer(1)]],
                       constant int& plane [[buffer(2)]],
                       constant int& plane_size [[buffer(3)]],
                       uint i [[thread_position_in_grid]]) {
  const int base = plane * plane_size;  // BUG: index-wrap
  out[i] = volume[base + int(i)];  // BUG: index-wrap
}
