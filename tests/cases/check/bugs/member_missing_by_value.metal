// The count is set on one path, and the struct is handed on by value.
#include <metal_stdlib>
using namespace metal;

struct Sum {
  float total;
  float count;
};

static float mean(Sum sum) { return sum.total / sum.count; }

kernel void average(device const float* x [[buffer(0)]],
                    device float* y [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  Sum sum;
  sum.total = x[i];
  if (i % 3 != 0) sum.count = 1.0f;
  y[i] = mean(sum);  // BUG: uninitialised-thread
}
