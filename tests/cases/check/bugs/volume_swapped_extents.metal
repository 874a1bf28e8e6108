// z * width * depth instead of z * width * height.
#include <metal_stdlib>
using namespace metal;

struct Extent {
  uint width;
  uint height;
  uint depth;
};

kernel void invert_volume(device const float* in [[buffer(0)]],
                          device float* out [[buffer(1)]],
                          constant Extent& e [[buffer(2)]],
                          uint3 p [[thread_position_in_grid]]) {
  if (p.x >= e.width || p.y >= e.height || p.z >= e.depth) return;
  uint at = p.z * e.width * e.depth + p.y * e.width + p.x;
  float value = in[at];  // BUG: bounds-read
  out[p.z * e.width * e.height + p.y * e.width + p.x] = 1.0f - value;
}
