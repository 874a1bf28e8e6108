// The writer goes on counting behind what it published; the reader has only seen the first step.
#include <metal_stdlib>
using namespace metal;

kernel void relay(device const int* x [[buffer(0)]],
                  device int* y [[buffer(1)]],
                  uint lid [[thread_position_in_threadgroup]]) {
  threadgroup int box;
  threadgroup atomic_uint step;
  if (lid == 0) atomic_store_explicit(&step, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    box = x[0];
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    atomic_fetch_add_explicit(&step, 1u, memory_order_relaxed);
    for (uint k = 0; k < 4; ++k) atomic_fetch_add_explicit(&step, 1u, memory_order_relaxed);
    y[0] = x[1];
  } else if (lid == 32) {
    while (atomic_load_explicit(&step, memory_order_relaxed) == 0u) {
    }
    atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst, thread_scope_threadgroup);
    y[1] = box;
  }
}
