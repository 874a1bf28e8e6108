// One thread per column walks the rows.
#include <metal_stdlib>
using namespace metal;

kernel void column_sums(device const float* m [[buffer(0)]],
                        device float* sums [[buffer(1)]],
                        constant uint& rows [[buffer(2)]],
                        uint c [[thread_position_in_grid]],
                        uint columns [[threads_per_grid]]) {
  sums[c] = 0.0f;
  for (uint r = 0; r < rows; ++r) sums[c] += m[r * columns + c];
}
