// Vectors of eight in a type of the program's own: quotients, shifts, conversions, all of them fine.
#include <metal_stdlib>
using namespace metal;

typedef int int8 __attribute__((ext_vector_type(8)));
typedef float float8 __attribute__((ext_vector_type(8)));
typedef half half8 __attribute__((ext_vector_type(8)));

kernel void mix8(device const int8* x [[buffer(0)]],
                 device half8* out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  int8 divisors = (int8)(1, 2, 3, 4, 5, 6, 7, 8);
  int8 n = (x[i] / divisors) << divisors;
  out[i] = half8((float8)n / 3.0f);
}
