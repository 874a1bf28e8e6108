// The last threadgroup to finish adds the partial sums, ordered by fences around the counter.
#include <metal_stdlib>
using namespace metal;

kernel void sum_single_pass(device const float* x [[buffer(0)]],
                            device float* partial [[buffer(1)]],
                            device atomic_uint* done [[buffer(2)]],
                            device float* total [[buffer(3)]],
                            uint gid [[thread_position_in_grid]],
                            uint lid [[thread_index_in_threadgroup]],
                            uint group [[threadgroup_position_in_grid]],
                            uint groups [[threadgroups_per_grid]]) {
  float s = simd_sum(x[gid]);
  if (lid == 0) {
    partial[group] = s;
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
    uint before = atomic_fetch_add_explicit(done, 1u, memory_order_relaxed);
    if (before == groups - 1) {
      atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
      float sum = 0.0f;
      for (uint g = 0; g < groups; ++g) sum += partial[g];
      total[0] = sum;
    }
  }
}
