// n / 64 slots for partial sums, but the last, partial threadgroup has one too.
#include <metal_stdlib>
using namespace metal;

kernel void partial_sums(device const float* values [[buffer(0)]],
                         device float* partials [[buffer(1)]],
                         uint gid [[thread_position_in_grid]],
                         uint lid [[thread_position_in_threadgroup]],
                         uint size [[threads_per_threadgroup]],
                         uint group [[threadgroup_position_in_grid]]) {
  threadgroup float shared[64];
  shared[lid] = values[gid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    float sum = 0.0f;
    for (uint k = 0; k < size; ++k) sum += shared[k];
    partials[group] = sum;  // BUG: bounds-write
  }
}
