// Atomic update and atomic load of the same counter, in any order.
#include <metal_stdlib>
using namespace metal;

kernel void limited(device const int* x [[buffer(0)]],
                    device atomic_uint* budget [[buffer(1)]],
                    device int* y [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  y[i] = x[i];
  if (atomic_load_explicit(budget, memory_order_relaxed) < 100u) {
    atomic_fetch_add_explicit(budget, 1u, memory_order_relaxed);
  }
}
