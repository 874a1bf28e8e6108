// Three floats per thread, stored as float4 by somebody who wanted speed.
#include <metal_stdlib>
using namespace metal;

kernel void stage_points(device const packed_float3* points [[buffer(0)]],
                         device float* out [[buffer(1)]],
                         uint t [[thread_index_in_threadgroup]]) {
  threadgroup float buf[3 * 16 + 1];
  if (t % 2 == 0) {
    *(threadgroup float4*)(buf + t * 3) = float4(float3(points[t]), 0.0f);  // BUG: misaligned-access
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = buf[(t / 2) * 6];
}
