// A mask of -INFINITY is data, not an accident.
#include <metal_stdlib>
using namespace metal;

kernel void causal_mask(device const half* scores [[buffer(0)]],
                        device half* masked [[buffer(1)]],
                        uint2 p [[thread_position_in_grid]],
                        uint2 n [[threads_per_grid]]) {
  uint at = p.y * n.x + p.x;
  masked[at] = p.x <= p.y ? scores[at] : half(-INFINITY);
}
