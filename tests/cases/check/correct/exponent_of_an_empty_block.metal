// The exponent of zero is limited as an integer, which conversions saturate.
#include <metal_stdlib>
using namespace metal;

kernel void shared_exponents(device const float* x [[buffer(0)]],
                             device char* exponents [[buffer(1)]],
                             device uint* bins [[buffer(2)]],
                             uint i [[thread_position_in_grid]]) {
  float largest = 0.0f;
  for (uint k = 0; k < 4; ++k) largest = max(largest, fabs(x[4 * i + k]));
  float exponent = floor(log2(largest));
  exponents[i] = char(clamp(int(exponent), -127, 127));
  uint bin = uint(1.0f / largest);
  if (bin < 8u) bins[i] = bin;
  else bins[i] = 8u;
}
