// The same for an array of matrices.
#include <metal_stdlib>
using namespace metal;

kernel void products(device const half* a [[buffer(0)]],
                     device const half* b [[buffer(1)]],
                     device float* c [[buffer(2)]],
                     constant uint& depth [[buffer(3)]]) {
  simdgroup_half8x8 left[2], right;
  simdgroup_float8x8 sums[2];
  for (uint k = 0; k < depth; k += 8) {
    simdgroup_load(right, b + k * 8, 8);
    for (uint t = 0; t < 2; ++t) {
      simdgroup_load(left[t], a + t * 8 * depth + k, depth);
      simdgroup_multiply_accumulate(sums[t], left[t], right, sums[t]);  // BUG: uninitialised-thread
    }
  }
  for (uint t = 0; t < 2; ++t) simdgroup_store(sums[t], c + t * 64, 8);
}
