#include <metal_stdlib>
using namespace metal;
[[max_total_threads_per_threadgroup(64)]] kernel void sum(
    const device float* x [[buffer(0)]], device atomic_float* out [[buffer(1)]],
    threadgroup float* scratch [[threadgroup(0)]], uint3 group [[threadgroup_position_in_grid]],
    ushort lane [[thread_index_in_simdgroup]], ushort simd [[simdgroup_index_in_threadgroup]]) {
  if (group.x % 2 == 0) {
    threadgroup float local[64];
    local[lane] = x[lane];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    scratch[simd] = simd_sum(local[lane ^ 1]);
  }
  if (lane == 0) atomic_fetch_add_explicit(out, scratch[simd], memory_order_relaxed);
}
