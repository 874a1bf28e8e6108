// Eight quotients at a time in a vector type of the program's own; one divisor is 0.
#include <metal_stdlib>
using namespace metal;

typedef int int8 __attribute__((ext_vector_type(8)));

kernel void shares(device const int8* parts [[buffer(0)]],
                   device int8* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  int8 counts = (int8)(7, 6, 5, 4, 3, 2, 1, 0) + int(i & 1);
  out[i] = parts[i] / counts;  // BUG: division-by-zero
}
