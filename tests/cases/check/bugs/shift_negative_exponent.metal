// Exponents below the bias shift by a negative amount.
#include <metal_stdlib>
using namespace metal;

kernel void powers(device const int* exponent [[buffer(0)]],
                   device int* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = 1 << (exponent[i] - 3);  // BUG: shift-out-of-range
}
