// One step of a device-wide scan, in place in one dispatch.
#include <metal_stdlib>
using namespace metal;

kernel void scan_step(device long* a [[buffer(0)]],
                      constant uint& step [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  if (i < step) return;
  a[i] = a[i] + a[i - step];  // BUG: race-device
}
