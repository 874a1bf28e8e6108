#include <metal_stdlib>
using namespace metal;
kernel void k(device uint* out, uint i [[thread_position_in_grid]]) {
  unsigned __int128 wide = i;
  out[i] = (wide * wide) >> 64;
}
