// A group without members: its count is zero.
#include <metal_stdlib>
using namespace metal;

kernel void averages(device const int* sums [[buffer(0)]],
                     device const int* counts [[buffer(1)]],
                     device int* out [[buffer(2)]],
                     uint g [[thread_position_in_grid]]) {
  out[g] = sums[g] / counts[g];  // BUG: division-by-zero
}
