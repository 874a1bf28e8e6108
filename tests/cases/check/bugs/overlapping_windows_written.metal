// Each thread writes four elements but steps by three.
#include <metal_stdlib>
using namespace metal;

kernel void upsample(device const float* coarse [[buffer(0)]],
                     device float* fine [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < 4; ++k) {
    fine[i * 3 + k] = coarse[i] + float(k);  // BUG: race-device
  }
}
