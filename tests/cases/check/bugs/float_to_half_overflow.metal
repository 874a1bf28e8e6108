// A finite float that does not fit half.
#include <metal_stdlib>
using namespace metal;

kernel void narrow(device const float* x [[buffer(0)]],
                   device half* y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  y[i] = half(x[i]);  // BUG: not-finite
}
