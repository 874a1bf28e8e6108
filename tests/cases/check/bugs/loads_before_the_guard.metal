// Every thread loads before it looks at the count; only the use is guarded.
#include <metal_stdlib>
using namespace metal;

kernel void blend(device const int* low [[buffer(0)]],
                  device const uint* bits [[buffer(1)]],
                  device float* y [[buffer(2)]],
                  constant uint& count [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  int first = low[i];                      // BUG: bounds-read
  int second = low[i + 1];                 // BUG: bounds-read
  float scale = as_type<float>(bits[i]);   // BUG: bounds-read
  if (i + 1 >= count) return;
  y[i] = scale * float(first + 2 * second);
}
