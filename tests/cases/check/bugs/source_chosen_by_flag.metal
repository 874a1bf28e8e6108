// Writes to one of two arrays, as a flag says; the other one is the longer.
#include <metal_stdlib>
using namespace metal;

kernel void fill(device float* small [[buffer(0)]],
                 device float* large [[buffer(1)]],
                 constant int& use_small [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  device float* target = use_small ? small : large;
  target[i] = 1.0f;  // BUG: bounds-write
}
