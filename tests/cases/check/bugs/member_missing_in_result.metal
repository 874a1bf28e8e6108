// The function sets two of three members of what it returns.
#include <metal_stdlib>
using namespace metal;

struct Hit {
  float distance;
  int primitive;
  float3 normal;
};

static Hit closest(float3 origin) {
  Hit hit;
  hit.distance = length(origin);
  hit.normal = origin / max(hit.distance, 1.0f);
  return hit;
}

kernel void trace(device const packed_float3* origins [[buffer(0)]],
                  device float* distances [[buffer(1)]],
                  device int* primitives [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  Hit hit = closest(float3(origins[i]));
  distances[i] = hit.distance + hit.normal.x;
  primitives[i] = hit.primitive;  // BUG: uninitialised-thread
}
