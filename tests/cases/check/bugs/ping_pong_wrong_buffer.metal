// Three steps of a diffusion; the second reads the buffer that the first did not write.
#include <metal_stdlib>
using namespace metal;

kernel void diffuse(device const float* from [[buffer(0)]],
                    device float* to [[buffer(1)]],
                    constant uint& n [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float left = i > 0 ? from[i - 1] : 0.0f;  // BUG: uninitialised-device
  float right = i + 1 < n ? from[i + 1] : 0.0f;  // BUG: uninitialised-device
  to[i] = 0.5f * (left + right);
}
