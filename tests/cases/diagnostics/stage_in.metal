#include <metal_stdlib>
using namespace metal;
struct Vertex {
  float4 position [[attribute(0)]];
};
kernel void k(device float* out, Vertex in [[stage_in]], uint i [[thread_position_in_grid]]) {
  out[i] = in.position.x;
}
