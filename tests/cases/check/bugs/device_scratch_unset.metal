// The running maxima start from scratch memory that was never set.
#include <metal_stdlib>
using namespace metal;

kernel void running_max(device const float* x [[buffer(0)]],
                        device float* workspace [[buffer(1)]],
                        device float* out [[buffer(2)]],
                        constant uint& steps [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
  float best = workspace[i];  // BUG: uninitialised-device
  for (uint s = 0; s < steps; ++s) best = max(best, x[i * steps + s]);
  workspace[i] = best;
  out[i] = best;
}
