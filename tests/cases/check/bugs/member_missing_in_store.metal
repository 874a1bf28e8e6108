// One member of what goes to memory was forgotten.
#include <metal_stdlib>
using namespace metal;

struct Ray {
  packed_float3 origin;
  float nearest;
  float farthest;
};

kernel void start_rays(device Ray* rays [[buffer(0)]],
                       uint i [[thread_position_in_grid]]) {
  Ray ray;
  ray.origin = packed_float3(float(i), 0.0f, 1.0f);
  ray.nearest = 0.125f;
  rays[i] = ray;  // BUG: uninitialised-thread
}
