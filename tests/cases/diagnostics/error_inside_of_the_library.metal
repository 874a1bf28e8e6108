#include <metal_stdlib>
using namespace metal;
template <typename T> T mix_bits(T a, T b) { return a ^ b; }
kernel void k(device float2* out, uint i [[thread_position_in_grid]]) {
  out[i] = out[i] % out[i + 1];
  out[i] = mix_bits(out[i], out[0]);
  out[i] = as_type<float>(out[i]);
  missing = 1;
}
