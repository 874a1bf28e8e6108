// Even and odd places of a row are written apart, then read together, in bytes, halves and vectors.
#include <metal_stdlib>
using namespace metal;

kernel void rows_written_in_halves(device const half* x [[buffer(0)]],
                                   device uchar* bytes [[buffer(1)]],
                                   device float4* out [[buffer(2)]],
                                   uint i [[thread_position_in_grid]],
                                   uint lid [[thread_position_in_threadgroup]]) {
  threadgroup half tile[64];
  if (lid < 32) tile[2 * lid] = x[i];
  if (lid < 32) tile[63 - 2 * lid] = x[i];
  bytes[i] = uchar(lid);
  threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
  out[i] = float4(tile[lid], tile[63 - lid], bytes[i], 1);
}
