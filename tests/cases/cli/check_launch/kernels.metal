#include <metal_stdlib>
using namespace metal;

kernel void shift(device const float* input [[buffer(0)]], device float* output [[buffer(1)]],
                  constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i < n) output[i] = input[i + 1];
}

kernel void blur(device const float* input [[buffer(0)]], device float* output [[buffer(1)]],
                 threadgroup float* tile [[threadgroup(0)]],
                 uint i [[thread_position_in_grid]], uint lid [[thread_index_in_threadgroup]]) {
  tile[lid] = input[i];
  output[i] = lid == 0 ? tile[lid] : 0.5f * (tile[lid] + tile[lid - 1]);
}

kernel void count(device uint* total [[buffer(0)]]) { total[0] += 1; }

kernel void add(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  y[i] = x[i] + 1.0f;
}
