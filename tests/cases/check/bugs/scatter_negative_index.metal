// -1 means "drop" on the host, but the kernel does not know.
#include <metal_stdlib>
using namespace metal;

kernel void scatter_rows(device const int* where_to [[buffer(0)]],
                         device const float* value [[buffer(1)]],
                         device float* target [[buffer(2)]],
                         uint i [[thread_position_in_grid]]) {
  int slot = where_to[i];
  target[slot] = value[i];  // BUG: bounds-write (index-wrap)
}
