// One thread per byte sets all eight bits.
#include <metal_stdlib>
using namespace metal;

kernel void pack_mask(device const float* x [[buffer(0)]],
                      device uchar* bits [[buffer(1)]],
                      constant uint& n [[buffer(2)]],
                      uint b [[thread_position_in_grid]]) {
  uint mask = 0;
  for (uint k = 0; k < 8 && b * 8 + k < n; ++k) mask |= uint(x[b * 8 + k] > 3.0f) << k;
  bits[b] = uchar(mask);
}
