// Every round counts anew, but thread 0 may do so before the others have read the last count.
#include <metal_stdlib>
using namespace metal;

kernel void positive_per_row(device const float* x [[buffer(0)]],
                             device float* shares [[buffer(1)]],
                             constant uint& rows [[buffer(2)]],
                             uint lid [[thread_position_in_threadgroup]],
                             uint size [[threads_per_threadgroup]]) {
  threadgroup atomic_uint count;
  if (lid == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
  for (uint row = 0; row < rows; ++row) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (x[row * size + lid] > 0) atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint all = atomic_load_explicit(&count, memory_order_relaxed);  // BUG: race-threadgroup
    shares[row * size + lid] = x[row * size + lid] / float(max(all, 1u));
    if (lid == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);  // BUG: race-threadgroup
  }
}
