// One branch counts atomically, the other resets with a plain store.
#include <metal_stdlib>
using namespace metal;

kernel void count_runs(device const int* x [[buffer(0)]],
                       device uint* counter [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  if (x[i] == 5) {
    counter[0] = 0;  // BUG: race-device
  } else {
    atomic_fetch_add_explicit((device atomic_uint*)counter, 1u, memory_order_relaxed);  // BUG: race-device
  }
}
