// Paged cache: the page number times the page size does not fit 32 bits for one of the pages.
#include <metal_stdlib>
using namespace metal;

kernel void read_pages(device const float* cache [[buffer(0)]],
                       device const uint* page_table [[buffer(1)]],
                       device float* out [[buffer(2)]],
                       constant uint& page_size [[buffer(3)]],
                       uint2 p [[thread_position_in_grid]],
                       uint2 n [[threads_per_grid]]) {
  uint page = page_table[p.y];
  out[p.y * n.x + p.x] = cache[page * page_size + p.x];  // BUG: index-wrap
}
