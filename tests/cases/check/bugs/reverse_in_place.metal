// Both ends are moved by both threads.
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device short* a [[buffer(0)]],
                    constant uint& n [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  if (i < n) a[i] = a[n - 1 - i];  // BUG: race-device
}
