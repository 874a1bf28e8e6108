// Structs with holes are copied whole; the holes have no value, and nobody uses them.
#include <metal_stdlib>
using namespace metal;

struct Edge {
  uchar kind;
  uint target;
  half weight;
};

kernel void make_edges(device Edge* edges [[buffer(0)]],
                       uint i [[thread_position_in_grid]]) {
  Edge e;
  e.kind = uchar(i % 3);
  e.target = i * 2;
  e.weight = half(i) * 0.5h;
  edges[i] = e;
}

kernel void reverse_edges(device const Edge* from [[buffer(0)]],
                          device Edge* to [[buffer(1)]],
                          uint i [[thread_position_in_grid]],
                          uint n [[threads_per_grid]]) {
  to[i] = from[n - 1 - i];
}

kernel void read_targets(device const Edge* edges [[buffer(0)]],
                         device float* out [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  out[i] = float(edges[i].target) * float(edges[i].weight) + edges[i].kind;
}
