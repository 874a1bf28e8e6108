#include <metal_stdlib>
using namespace metal;

// Four simdgroups of one threadgroup, one lane each enters the critical section.
struct Best {
  float value;
  uint index;
};
kernel void argmax(device const float* x, device atomic_uint* lock, device Best* best,
                   uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  float v = simd_max(x[i]);
  if (lane != 0) return;
  uint expected = 0;
  while (!atomic_compare_exchange_weak_explicit(lock, &expected, 1u, memory_order_relaxed,
                                                memory_order_relaxed))
    expected = 0;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  if (v > best->value) {
    best->value = v;
    best->index = i;
  }
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
