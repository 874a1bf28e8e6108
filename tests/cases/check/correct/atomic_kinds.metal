// Every kind of atomic update on its own word.
#include <metal_stdlib>
using namespace metal;

kernel void combine(device const uint* x [[buffer(0)]],
                    device atomic_uint* out [[buffer(1)]],
                    device atomic_int* extremes [[buffer(2)]],
                    uint i [[thread_position_in_grid]]) {
  uint v = x[i];
  atomic_fetch_add_explicit(&out[0], v, memory_order_relaxed);
  atomic_fetch_sub_explicit(&out[1], 1u, memory_order_relaxed);
  atomic_fetch_and_explicit(&out[2], ~(1u << (v & 31u)), memory_order_relaxed);
  atomic_fetch_or_explicit(&out[3], 1u << (v & 31u), memory_order_relaxed);
  atomic_fetch_xor_explicit(&out[4], v, memory_order_relaxed);
  atomic_exchange_explicit(&out[5], v, memory_order_relaxed);
  atomic_fetch_min_explicit(&extremes[0], int(v) - 20, memory_order_relaxed);
  atomic_fetch_max_explicit(&extremes[1], int(v) - 20, memory_order_relaxed);
}
