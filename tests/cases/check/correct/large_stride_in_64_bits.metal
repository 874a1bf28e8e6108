// Strides whose product needs 64 bits, computed in 64 bits and reduced to a ring.
#include <metal_stdlib>
using namespace metal;

kernel void probe(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant ulong& stride [[buffer(2)]],
                  constant ulong& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  ulong far = ulong(i) * stride;
  y[i] = x[far % n];
}
