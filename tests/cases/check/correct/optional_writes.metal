// Only matches are written; the rest of the buffer is not demanded.
#include <metal_stdlib>
using namespace metal;

kernel void matches(device const int* x [[buffer(0)]],
                    device int* where_found [[buffer(1)]],
                    device atomic_uint* count [[buffer(2)]],
                    constant int& modulus [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
  if (x[i] % modulus == 0) {
    uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
    where_found[slot] = int(i);
  }
}
