// The product is formed in 32 bits and widened too late.
#include <metal_stdlib>
using namespace metal;

kernel void copy_row(device const uchar* pool [[buffer(0)]],
                     device uchar* out [[buffer(1)]],
                     constant uint& row [[buffer(2)]],
                     constant uint& row_bytes [[buffer(3)]],
                     uint i [[thread_position_in_grid]]) {
  size_t offset = row * row_bytes + i;  // BUG: index-wrap
  out[i] = pool[offset];  // BUG: index-wrap
}
