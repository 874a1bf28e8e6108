// The struct that sums start from lacks its count.
#include <metal_stdlib>
using namespace metal;

struct Sum {
  float total;
  float count;
};

static Sum joined(Sum a, Sum b) {
  Sum sum = a;
  sum.total += b.total;
  sum.count += b.count;
  return sum;
}

kernel void average_all(device const float* x [[buffer(0)]],
                        device float* y [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  Sum all;
  all.total = 0.0f;
  for (uint k = 0; k < 4; ++k) {
    Sum one = {x[i * 4 + k], 1.0f};
    all = joined(all, one);  // BUG: uninitialised-thread
  }
  y[i] = all.total / all.count;
}
