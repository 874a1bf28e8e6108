// Only even lanes fill the table that all lanes read.
#include <metal_stdlib>
using namespace metal;

kernel void lookup(device const uint* keys [[buffer(0)]],
                   device float* values [[buffer(1)]],
                   uint gid [[thread_position_in_grid]],
                   uint lid [[thread_index_in_threadgroup]]) {
  threadgroup float table[16];
  if (lid % 2 == 0 && lid < 16) table[lid] = sin(float(lid) * 0.1f);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  values[gid] = table[keys[gid] & 15];  // BUG: uninitialised-threadgroup
}
