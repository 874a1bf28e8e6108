// Forward differences of n values: there are only n - 1.
#include <metal_stdlib>
using namespace metal;

kernel void forward_difference(const device float* f [[buffer(0)]],
                               device float* df [[buffer(1)]],
                               constant uint& n [[buffer(2)]],
                               constant float& step [[buffer(3)]],
                               uint index [[thread_position_in_grid]],
                               uint count [[threads_per_grid]]) {
  for (uint i = index; i < n; i += count) {
    float next = f[i + 1];  // BUG: bounds-read
    df[i] = (next - f[i]) / step;
  }
}
