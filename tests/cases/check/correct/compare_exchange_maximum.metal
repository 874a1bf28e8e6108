// Float maximum with a compare-exchange loop on the bits.
#include <metal_stdlib>
using namespace metal;

kernel void global_max(device const float* x [[buffer(0)]],
                       device atomic_uint* best [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  uint seen = atomic_load_explicit(best, memory_order_relaxed);
  while (x[i] > as_type<float>(seen)) {
    if (atomic_compare_exchange_weak_explicit(best, &seen, as_type<uint>(x[i]),
                                              memory_order_relaxed, memory_order_relaxed)) {
      break;
    }
  }
}
