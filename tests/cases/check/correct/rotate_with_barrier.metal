// Exchange within a threadgroup, ordered.
#include <metal_stdlib>
using namespace metal;

kernel void rotate_block(device const float* x [[buffer(0)]],
                         device float* y [[buffer(1)]],
                         constant uint& by [[buffer(2)]],
                         uint gid [[thread_position_in_grid]],
                         ushort tid [[thread_index_in_threadgroup]]) {
  threadgroup float buf[48];
  buf[tid] = x[gid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[gid] = buf[(tid + by) % 48];
}
