// Each square is more than a half can hold before the float sum gets it; rsqrt makes 0 of that.
#include <metal_stdlib>
using namespace metal;

kernel void unit_length(device const half* x [[buffer(0)]],
                        device half* y [[buffer(1)]],
                        constant uint& width [[buffer(2)]],
                        uint row [[threadgroup_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]]) {
  float sum = 0.0f;
  for (uint c = lane; c < width; c += 32) {
    half v = x[row * width + c];
    sum += float(v * v);  // BUG: not-finite
  }
  float scale = rsqrt(simd_sum(sum) + 1e-5f);
  for (uint c = lane; c < width; c += 32) {
    y[row * width + c] = half(float(x[row * width + c]) * scale);
  }
}
