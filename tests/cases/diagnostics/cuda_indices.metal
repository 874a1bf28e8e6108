#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[i], 1.0f);
}
