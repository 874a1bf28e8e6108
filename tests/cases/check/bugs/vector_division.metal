// One lane of an int4 divisor is zero.
#include <metal_stdlib>
using namespace metal;

kernel void ratios(device const int4* a [[buffer(0)]],
                   device const int4* b [[buffer(1)]],
                   device int4* q [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  q[i] = a[i] / b[i];  // BUG: division-by-zero
}
