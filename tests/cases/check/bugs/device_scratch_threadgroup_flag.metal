// The exchange goes through device memory, the barrier orders only threadgroup memory.
#include <metal_stdlib>
using namespace metal;

kernel void exchange(device const float* in [[buffer(0)]],
                     device float* scratch [[buffer(1)]],
                     device float* out [[buffer(2)]],
                     uint gid [[thread_position_in_grid]],
                     uint lid [[thread_position_in_threadgroup]],
                     uint size [[threads_per_threadgroup]]) {
  scratch[gid] = in[gid] * 2.0f;  // BUG: race-device
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint mirror = gid - lid + (size - 1 - lid);
  out[gid] = scratch[mirror];  // BUG: race-device
}
