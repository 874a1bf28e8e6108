// Slots behind the end are filled with the neutral element.
#include <metal_stdlib>
using namespace metal;

kernel void block_products(device const float* x [[buffer(0)]],
                           device float* products [[buffer(1)]],
                           constant uint& n [[buffer(2)]],
                           uint gid [[thread_position_in_grid]],
                           uint lid [[thread_position_in_threadgroup]],
                           uint group [[threadgroup_position_in_grid]]) {
  threadgroup float tile[32];
  tile[lid] = gid < n ? x[gid] : 1.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid == 0) {
    float product = 1.0f;
    for (uint k = 0; k < 32; ++k) product *= tile[k];
    products[group] = product;
  }
}
