// Eight elements at a time of an array that has no whole number of eights.
#include <metal_stdlib>
using namespace metal;

typedef float float8 __attribute__((ext_vector_type(8)));

kernel void twice(device const float* x [[buffer(0)]],
                  device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  float8 v = *(const device float8*)(x + 8 * i);  // BUG: bounds-read
  for (uint k = 0; k < 8; ++k) {
    if (8 * i + k < 21) out[8 * i + k] = 2 * v[k];
  }
}
