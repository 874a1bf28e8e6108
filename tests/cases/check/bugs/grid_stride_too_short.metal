// The stride of the loop is the threadgroup, not the grid: two groups do the same work.
#include <metal_stdlib>
using namespace metal;

kernel void accumulate(device const float* x [[buffer(0)]],
                       device float* y [[buffer(1)]],
                       constant uint& n [[buffer(2)]],
                       uint index [[thread_position_in_grid]],
                       uint step [[threads_per_threadgroup]]) {
  for (uint i = index; i < n; i += step) {
    y[i] += x[i];  // BUG: race-update
  }
}
