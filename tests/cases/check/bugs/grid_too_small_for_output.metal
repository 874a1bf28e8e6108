// 100 threads for 200 elements.
#include <metal_stdlib>
using namespace metal;

kernel void twice(device const float* x [[buffer(0)]],
                  device float* out [[buffer(1)]],  // BUG: output-unwritten
                  uint i [[thread_position_in_grid]]) {
  out[i] = x[i] * 2.0f;
}
