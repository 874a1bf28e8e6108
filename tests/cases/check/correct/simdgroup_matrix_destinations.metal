// Matrices that are only written to need no value before.
#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float* a [[buffer(0)]],
                    device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]],
                    uint lane [[thread_index_in_simdgroup]]) {
  simdgroup_float8x8 left, right, product, sum;
  simdgroup_load(left, a, 8);
  simdgroup_load(right, b, 8);
  simdgroup_multiply(product, left, right);
  simdgroup_multiply_accumulate(sum, right, left, product);
  threadgroup float tile[64];
  simdgroup_store(sum, tile, 8);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = lane; k < 64; k += 32) c[k] = 2.0f * tile[k];
}

kernel void tiles(device const half* a [[buffer(0)]],
                  device const half* b [[buffer(1)]],
                  device float* c [[buffer(2)]],
                  constant uint& depth [[buffer(3)]]) {
  simdgroup_half8x8 left[2], right[2];
  simdgroup_float8x8 sums[2][2];
  for (uint r = 0; r < 2; ++r) {
    for (uint s = 0; s < 2; ++s) sums[r][s] = make_filled_simdgroup_matrix<float, 8>(0.0f);
  }
  for (uint k = 0; k < depth; k += 8) {
    for (uint t = 0; t < 2; ++t) {
      simdgroup_load(left[t], a + t * 8 * depth + k, depth);
      simdgroup_load(right[t], b + k * 16 + t * 8, 16);
    }
    for (uint r = 0; r < 2; ++r) {
      for (uint s = 0; s < 2; ++s) {
        simdgroup_multiply_accumulate(sums[r][s], left[r], right[s], sums[r][s]);
      }
    }
  }
  for (uint r = 0; r < 2; ++r) {
    for (uint s = 0; s < 2; ++s) simdgroup_store(sums[r][s], c + r * 128 + s * 8, 16);
  }
}
