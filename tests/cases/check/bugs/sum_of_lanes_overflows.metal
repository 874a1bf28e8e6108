// Every lane's number is fine, their product is not.
#include <metal_stdlib>
using namespace metal;

kernel void likelihood(device const float* x [[buffer(0)]],
                       device float* y [[buffer(1)]],
                       uint lane [[thread_index_in_simdgroup]]) {
  float product = simd_product(x[lane]);  // BUG: not-finite
  if (lane == 0) y[0] = product;
}
