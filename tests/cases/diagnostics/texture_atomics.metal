#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<uint, access::read_write> image [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  uint4 old = image.atomic_fetch_add(p, uint4(1));
  image.atomic_store(old, p);
}
