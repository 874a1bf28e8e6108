// 256 bins of bytes: a threadgroup of 256 counts a block in threadgroup atomics, then adds its
// bins to the result.
#include <metal_stdlib>
using namespace metal;

kernel void histogram(const device uchar* x [[buffer(0)]],
                      device atomic_uint* bins [[buffer(1)]],
                      constant uint& per_group [[buffer(2)]],
                      uint group [[threadgroup_position_in_grid]],
                      uint thread_index [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint counts[256];
  atomic_store_explicit(&counts[thread_index], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint i = thread_index; i < per_group; i += 256)
    atomic_fetch_add_explicit(&counts[x[group * per_group + i]], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint count = atomic_load_explicit(&counts[thread_index], memory_order_relaxed);
  atomic_fetch_add_explicit(&bins[thread_index], count, memory_order_relaxed);
}
