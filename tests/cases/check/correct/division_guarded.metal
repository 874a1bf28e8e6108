// The divisor is tested, in a condition and in a select.
#include <metal_stdlib>
using namespace metal;

kernel void averages(device const int* sums [[buffer(0)]],
                     device const int* counts [[buffer(1)]],
                     device int2* out [[buffer(2)]],
                     uint g [[thread_position_in_grid]]) {
  int guarded = counts[g] != 0 ? sums[g] / counts[g] : 0;
  int clamped = sums[g] % max(counts[g], 1);
  out[g] = int2(guarded, clamped);
}
