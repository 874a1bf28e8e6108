#include <metal_stdlib>
using namespace metal;

// The last simdgroup to arrive adds the totals; fences around the counter, no barrier.
kernel void sum(device const float* x, device float* partial, device atomic_uint* done,
                device float* out, uint i [[thread_position_in_grid]],
                uint lane [[thread_index_in_simdgroup]]) {
  float v = simd_sum(x[i]);
  if (lane == 0) {
    partial[i / 32] = v;
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
    uint n = atomic_fetch_add_explicit(done, 1u, memory_order_relaxed);
    if (n == 7) {
      atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
      float s = 0;
      for (uint k = 0; k < 8; ++k) s += partial[k];
      out[0] = s;
    }
  }
}
