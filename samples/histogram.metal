// Counts of 8-bit values: atomics in threadgroup memory first, then one addition per bin and group.
#include <metal_stdlib>
using namespace metal;

constant constexpr uint kBins = 256;

kernel void histogram(device const uchar* values [[buffer(0)]],
                      device atomic_uint* bins [[buffer(1)]],
                      constant uint& count [[buffer(2)]],
                      uint index [[thread_position_in_grid]],
                      uint grid_size [[threads_per_grid]],
                      uint local [[thread_index_in_threadgroup]],
                      uint threads [[threads_per_threadgroup]]) {
  threadgroup atomic_uint counts[kBins];
  for (uint bin = local; bin < kBins; bin += threads) {
    atomic_store_explicit(&counts[bin], 0, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint i = index; i < count; i += grid_size) {
    atomic_fetch_add_explicit(&counts[values[i]], 1, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint bin = local; bin < kBins; bin += threads) {
    const uint found = atomic_load_explicit(&counts[bin], memory_order_relaxed);
    if (found > 0) atomic_fetch_add_explicit(&bins[bin], found, memory_order_relaxed);
  }
}
