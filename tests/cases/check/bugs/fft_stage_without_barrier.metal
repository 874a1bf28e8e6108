#include <metal_stdlib>
using namespace metal;

inline float2 cmul(float2 a, float2 b) {
  return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
kernel void fft64(device const float2* in, device float2* out,
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup float2 s[64];
  s[reverse_bits(t) >> 26] = in[t];
  s[reverse_bits(t + 32) >> 26] = in[t + 32];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_size = 1; half_size < 64; half_size *= 2) {
    uint k = t & (half_size - 1);
    uint i = 2 * (t - k) + k;
    float angle = -M_PI_F * float(k) / float(half_size);
    float2 u = s[i];                                                    // BUG: race-threadgroup
    float2 v = cmul(s[i + half_size], float2(cos(angle), sin(angle)));  // BUG: race-threadgroup
    s[i] = u + v;                                                       // BUG: race-threadgroup
    s[i + half_size] = u - v;                                           // BUG: race-threadgroup
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = s[t];
  out[t + 32] = s[t + 32];
}
