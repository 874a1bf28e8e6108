// The first thread clears the sum in the buffer that all simdgroups add to.
#include <metal_stdlib>
using namespace metal;

kernel void total(device const int* x [[buffer(0)]],
                  device atomic_int* sum [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {
  int part = simd_sum(x[i]);
  if (i == 0) atomic_store_explicit(sum, 0, memory_order_relaxed);  // BUG: race-device
  if (lane == 0) {
    atomic_fetch_add_explicit(sum, part, memory_order_relaxed);  // BUG: race-device
  }
}
