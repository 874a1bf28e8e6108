// 3-D with partial threadgroups in all directions.
#include <metal_stdlib>
using namespace metal;

kernel void laplace(device const float* in [[buffer(0)]],
                    device float* out [[buffer(1)]],
                    uint3 p [[thread_position_in_grid]],
                    uint3 n [[threads_per_grid]]) {
  uint at = (p.z * n.y + p.y) * n.x + p.x;
  float c = in[at];
  float sum = 0.0f;
  sum += p.x > 0 ? in[at - 1] : c;
  sum += p.x + 1 < n.x ? in[at + 1] : c;
  sum += p.y > 0 ? in[at - n.x] : c;
  sum += p.y + 1 < n.y ? in[at + n.x] : c;
  sum += p.z > 0 ? in[at - n.x * n.y] : c;
  sum += p.z + 1 < n.z ? in[at + n.x * n.y] : c;
  out[at] = sum - 6.0f * c;
}
