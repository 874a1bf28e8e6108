// What was never set goes along in copies, and nothing is made of it.
#include <metal_stdlib>
using namespace metal;

struct Hit {
  float distance;
  int primitive;
  float3 normal;
};

struct Node {
  float4 bounds;
  float weight;
  float reserved[3];
};

union Bits {
  float number;
  ushort halves[2];
};

static Hit find(float from) {
  Hit hit;
  hit.distance = from > 2.0f ? from : -1.0f;
  if (from > 2.0f) {
    hit.primitive = int(from);
    hit.normal = float3(0.0f, 0.0f, 1.0f);
  }
  return hit;
}

static Hit nearer(Hit a, Hit b) { return a.distance < b.distance ? b : a; }

static float shade(Hit hit) {
  return hit.distance < 0.0f ? 0.0f : hit.normal.z * float(hit.primitive);
}

kernel void cast_rays(device const float* x [[buffer(0)]],
                      device float* y [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  Hit hits[2];
  for (uint k = 0; k < 2; ++k) hits[k] = find(x[i + k]);
  Hit hit = nearer(hits[0], hits[1]);
  y[i] = shade(hit);
}

kernel void three_of_four(device const packed_float3* x [[buffer(0)]],
                          device packed_float3* y [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
  float4 v;
  v.xyz = float3(x[i]);
  v = v * 2.0f + 1.0f;
  float4 turned = v.yxzw;
  float4 chosen = i % 2 == 0 ? v : turned;
  y[i] = packed_float3(chosen.xyz);
}

kernel void upper_triangle(device const float* x [[buffer(0)]],
                           device float* y [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  float3x3 m;
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r <= c; ++r) m[c][r] = x[i + 3 * c + r];
  }
  float3x3 copy = m;
  y[i] = copy[0].x + copy[2].y + copy[i % 3][0];
}

kernel void nodes_through_tile(device const float4* x [[buffer(0)]],
                               device float* y [[buffer(1)]],
                               uint lid [[thread_position_in_threadgroup]]) {
  threadgroup Node nodes[8];
  Node node;
  node.bounds = x[lid];
  node.weight = 0.5f;
  nodes[lid] = node;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  Node other = nodes[7 - lid];
  y[lid] = other.bounds.w * other.weight;
}

kernel void half_of_a_union(device const float* x [[buffer(0)]],
                            device uint* y [[buffer(1)]],
                            uint i [[thread_position_in_grid]]) {
  Bits bits, other;
  bits.number = x[i];
  other.halves[1] = bits.halves[1];
  Bits copy = other;
  y[i] = copy.halves[1];
}
