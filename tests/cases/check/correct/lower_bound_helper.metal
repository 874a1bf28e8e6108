// Binary search in a helper that two places call.
#include <metal_stdlib>
using namespace metal;

static uint lower_bound(device const int* values, uint n, int key) {
  uint lo = 0;
  uint hi = n;
  while (lo < hi) {
    uint mid = lo + (hi - lo) / 2;
    if (values[mid] < key) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo;
}

kernel void count_between(device const int* sorted [[buffer(0)]],
                          device const int2* ranges [[buffer(1)]],
                          device uint* counts [[buffer(2)]],
                          constant uint& n [[buffer(3)]],
                          uint i [[thread_position_in_grid]]) {
  counts[i] = lower_bound(sorted, n, ranges[i].y) - lower_bound(sorted, n, ranges[i].x);
}
