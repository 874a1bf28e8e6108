#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out, uint i [[thread_position_in_grid]]) {
  threadgroup float tile[32];
  tile[i] = out[i];
  __syncthreads();
  out[i] = tile[31 - i];
}
