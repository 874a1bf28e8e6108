#include <metal_stdlib>
using namespace metal;
struct Vertex { float4 position [[position]]; };
struct Part { float4 colour [[flat]]; };
using Triangles = metal::mesh<Vertex, Part, 64, 32, metal::topology::triangle>;
[[mesh, max_total_threads_per_threadgroup(32)]]
void draw(Triangles output, uint lane [[thread_index_in_threadgroup]]) {
  if (lane == 0) output.set_primitive_count(1);
}
kernel void k(device float* out, uint i [[thread_position_in_grid]]) { out[i] = i; }
