// The mask's upper triangle is expected to be there.
#include <metal_stdlib>
using namespace metal;

kernel void causal_mask(device const half* scores [[buffer(0)]],
                        device half* masked [[buffer(1)]],  // BUG: output-unwritten
                        constant uint& n [[buffer(2)]],
                        uint2 p [[thread_position_in_grid]]) {
  if (p.x >= n || p.y >= n) return;
  for (uint c = p.x; c <= p.y; c += n) {
    masked[p.y * n + c] = scores[p.y * n + c] * half(0.125h);
  }
}
