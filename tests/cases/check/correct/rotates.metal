// Rotates by masked amounts and by the library's function.
#include <metal_stdlib>
using namespace metal;

kernel void rotl(device const uint* x [[buffer(0)]],
                 device const uint* n [[buffer(1)]],
                 device uint2* y [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  uint by_hand = (x[i] << (n[i] & 31u)) | (x[i] >> ((32u - n[i]) & 31u));
  y[i] = uint2(by_hand, rotate(x[i], n[i]));
}
