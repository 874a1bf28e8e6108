// Multiplicative hash: the product wraps on purpose, the mask makes it an index.
#include <metal_stdlib>
using namespace metal;

kernel void insert(device const uint* keys [[buffer(0)]],
                   device atomic_uint* slots [[buffer(1)]],
                   constant uint& mask [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  uint key = keys[i] + 1;
  uint at = (key * 2654435761u) & mask;
  while (true) {
    uint empty = 0;
    if (atomic_compare_exchange_weak_explicit(&slots[at], &empty, key, memory_order_relaxed,
                                              memory_order_relaxed) ||
        empty == key) {
      break;
    }
    if (empty != 0) at = (at + 1) & mask;
  }
}
