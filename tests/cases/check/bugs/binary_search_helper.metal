// The search starts with hi = n and looks at values[mid] up to n. Called from two places.
#include <metal_stdlib>
using namespace metal;

static uint lower_bound(device const int* values, uint n, int key) {
  uint lo = 0;
  uint hi = n;
  while (lo <= hi && lo <= n) {
    uint mid = (lo + hi + 1) / 2;
    int probe = values[mid];  // BUG: bounds-read
    if (probe < key) {
      lo = mid + 1;
    } else {
      if (mid == 0) break;
      hi = mid - 1;
    }
  }
  return lo;
}

kernel void count_between(device const int* sorted [[buffer(0)]],
                          device const int2* ranges [[buffer(1)]],
                          device uint* counts [[buffer(2)]],
                          constant uint& n [[buffer(3)]],
                          uint i [[thread_position_in_grid]]) {
  uint first = lower_bound(sorted, n, ranges[i].x);
  uint last = lower_bound(sorted, n, ranges[i].y);
  counts[i] = last - first;
}
