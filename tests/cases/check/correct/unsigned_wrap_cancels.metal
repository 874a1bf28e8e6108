// i - 1 wraps for i = 0, + n brings it back: a ring of n.
#include <metal_stdlib>
using namespace metal;

kernel void ring_difference(device const float* x [[buffer(0)]],
                            device float* y [[buffer(1)]],
                            constant uint& n [[buffer(2)]],
                            uint i [[thread_position_in_grid]]) {
  uint before = (i - 1u + n) % n;
  uint after = (i + 1u) % n;
  y[i] = x[after] - x[before];
}
