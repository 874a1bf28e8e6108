// A sum of squares in half passes 65504.
#include <metal_stdlib>
using namespace metal;

kernel void square_half(device const half* x [[buffer(0)]],
                        device half* y [[buffer(1)]],
                        uint i [[thread_position_in_grid]]) {
  half v = x[i];
  y[i] = v * v;  // BUG: not-finite
}
