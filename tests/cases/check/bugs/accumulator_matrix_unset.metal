// Products are added to a matrix that was never filled with zeros.
#include <metal_stdlib>
using namespace metal;

kernel void product(device const float* a [[buffer(0)]],
                    device const float* b [[buffer(1)]],
                    device float* c [[buffer(2)]]) {
  simdgroup_float8x8 left, right, sum;
  for (uint k = 0; k < 16; k += 8) {
    simdgroup_load(left, a + k, 16);
    simdgroup_load(right, b + k * 8, 8);
    simdgroup_multiply_accumulate(sum, left, right, sum);  // BUG: uninitialised-thread
  }
  simdgroup_store(sum, c, 8);
}
