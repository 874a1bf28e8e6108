// All lanes write, one of them publishes; all lanes of the last simdgroup read what one was told.
#include <metal_stdlib>
using namespace metal;

kernel void columns(device const float* x [[buffer(0)]],
                    device float* scratch [[buffer(1)]],
                    device atomic_uint* done [[buffer(2)]],
                    device float* sums [[buffer(3)]],
                    uint lid [[thread_position_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint sgs [[simdgroups_per_threadgroup]]) {
  scratch[lid] = x[lid] * x[lid];
  simdgroup_barrier(mem_flags::mem_device);
  uint before = 0;
  if (lane == 0) {
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_threadgroup);
    before = atomic_fetch_add_explicit(done, 1u, memory_order_relaxed);
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_threadgroup);
  }
  simdgroup_barrier(mem_flags::mem_device);
  if (simd_broadcast_first(before) != sgs - 1) return;
  float sum = 0;
  for (uint k = lane; k < sgs * 32; k += 32) sum += scratch[k];
  sums[lane] = sum;
}
