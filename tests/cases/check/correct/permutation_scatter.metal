// Every target is hit exactly once.
#include <metal_stdlib>
using namespace metal;

kernel void permute(device const float* in [[buffer(0)]],
                    device const uint* perm [[buffer(1)]],
                    device float* out [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  out[perm[i]] = in[i];
}
