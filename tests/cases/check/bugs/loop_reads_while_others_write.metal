// No barrier behind the loop: a fast simdgroup overwrites the tile that a slow one still adds up.
#include <metal_stdlib>
using namespace metal;

kernel void moving_sums(device const float* in [[buffer(0)]],
                        device float* out [[buffer(1)]],
                        uint i [[thread_position_in_threadgroup]]) {
  threadgroup float window[96];
  float total = 0;
  for (uint part = 0; part < 5; ++part) {
    window[i] = in[part * 96 + i];  // BUG: race-threadgroup
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 96; k += 8) {
      total += window[k];  // BUG: race-threadgroup
    }
  }
  out[i] = total;
}
