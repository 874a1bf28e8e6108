// A helper with 32-bit strides, as many elem_to_loc have them; the outermost stride is huge.
#include <metal_stdlib>
using namespace metal;

inline uint location(uint3 index, constant const uint* strides) {
  return index.x * strides[0] + index.y * strides[1] + index.z * strides[2];  // BUG: index-wrap
}

kernel void gather3(device const half* src [[buffer(0)]],
                    device half* dst [[buffer(1)]],
                    constant const uint* strides [[buffer(2)]],
                    constant uint& every [[buffer(3)]],
                    uint3 p [[thread_position_in_grid]],
                    uint3 extent [[threads_per_grid]]) {
  uint to = (p.z * extent.y + p.y) * extent.x + p.x;
  uint3 from = uint3(p.xy, p.z * every);
  dst[to] = src[location(from, strides)];  // BUG: index-wrap
}
