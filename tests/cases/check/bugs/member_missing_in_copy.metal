// A copy lacks what the original lacks.
#include <metal_stdlib>
using namespace metal;

struct Sum {
  float total;
  float count;
};

kernel void copied(device const float* x [[buffer(0)]],
                   device float* y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  Sum sum;
  sum.total = x[i];
  Sum other = sum;
  y[i] = other.total * other.count;  // BUG: uninitialised-thread
}
