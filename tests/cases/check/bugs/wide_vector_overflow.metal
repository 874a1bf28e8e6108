// Eight products at a time, in a vector type of the program's own, that do not fit half.
#include <metal_stdlib>
using namespace metal;

typedef float float8 __attribute__((ext_vector_type(8)));
typedef half half8 __attribute__((ext_vector_type(8)));

kernel void scale(device const float8* x [[buffer(0)]],
                  device half8* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  out[i] = half8(x[i] * 30000.0f);  // BUG: not-finite
}
