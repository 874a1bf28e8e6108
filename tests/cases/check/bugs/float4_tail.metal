// 30 floats are seven and a half float4; the last thread reads past the end.
#include <metal_stdlib>
using namespace metal;

kernel void sum_squares4(device const float4* v [[buffer(0)]],
                         device float* partial [[buffer(1)]],
                         uint i [[thread_position_in_grid]]) {
  partial[i] = dot(v[i], v[i]);  // BUG: bounds-read
}
