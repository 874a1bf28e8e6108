// Even threads count in one array and odd ones in the other; both have 4 elements.
#include <metal_stdlib>
using namespace metal;

kernel void count_kinds(device const uchar* kinds [[buffer(0)]],
                        device uint* counts [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  uint even[4] = {0, 0, 0, 0};
  uint odd[4] = {0, 0, 0, 0};
  thread uint* mine = i % 2 == 0 ? even : odd;
  for (uint k = i; k < i + 3; ++k) {
    mine[kinds[k]] += 1;  // BUG: bounds-write (bounds-read)
  }
  for (uint k = 0; k < 4; ++k) counts[i * 4 + k] = even[k] + odd[k];
}
