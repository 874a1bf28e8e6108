// Count digits, scan them on one thread, scatter by atomics: three dispatches on the same arrays.
#include <metal_stdlib>
using namespace metal;

kernel void count(device const uint* keys [[buffer(0)]],
                  device atomic_uint* counts [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&counts[keys[i] & 3u], 1u, memory_order_relaxed);
}

kernel void starts(device uint* counts [[buffer(0)]]) {
  uint sum = 0;
  for (uint d = 0; d < 4; ++d) {
    uint here = counts[d];
    counts[d] = sum;
    sum += here;
  }
}

kernel void scatter(device const uint* keys [[buffer(0)]],
                    device atomic_uint* next [[buffer(1)]],
                    device uint* out [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  uint slot = atomic_fetch_add_explicit(&next[keys[i] & 3u], 1u, memory_order_relaxed);
  out[slot] = keys[i];
}
