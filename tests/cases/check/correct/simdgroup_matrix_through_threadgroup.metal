// The tile is staged in threadgroup memory by all lanes.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

kernel void square_tile(device const half* in [[buffer(0)]],
                        device half* out [[buffer(1)]],
                        uint lane [[thread_index_in_simdgroup]]) {
  threadgroup half stage[64];
  for (uint k = lane; k < 64; k += 32) stage[k] = in[k] * 0.125h;
  simdgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_half8x8 m;
  simdgroup_half8x8 product;
  simdgroup_load(m, stage, 8);
  simdgroup_multiply(product, m, m);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_store(product, stage, 8);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = lane; k < 64; k += 32) out[k] = stage[k];
}
