// Slots by ballot and popcount within a simdgroup, one atomic per simdgroup.
#include <metal_stdlib>
using namespace metal;

kernel void compact(device const int* in [[buffer(0)]],
                    device int* kept [[buffer(1)]],
                    device atomic_uint* count [[buffer(2)]],
                    uint i [[thread_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  bool keep = in[i] % 3 == 0;
  uint ahead = simd_prefix_exclusive_sum(keep ? 1u : 0u);
  uint total = simd_sum(keep ? 1u : 0u);
  uint base = 0;
  if (simd_is_first() && total > 0) {
    base = atomic_fetch_add_explicit(count, total, memory_order_relaxed);
  }
  base = simd_broadcast_first(base);
  if (keep) kept[base + ahead] = in[i];
}
