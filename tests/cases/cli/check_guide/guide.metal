#include <metal_stdlib>
using namespace metal;

kernel void shift(device const float* input [[buffer(0)]], device float* output [[buffer(1)]],
                  constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i < n) output[i] = input[i + 1];
}

kernel void group_sums(device const float* input [[buffer(0)]], device float* sums [[buffer(1)]],
                       threadgroup float* partial [[threadgroup(0)]],
                       uint i [[thread_position_in_grid]], uint lid [[thread_index_in_threadgroup]],
                       uint group [[threadgroup_position_in_grid]],
                       uint size [[threads_per_threadgroup]]) {
  partial[lid] = input[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = size / 2; step > 0; step /= 2) {
    if (lid < step) partial[lid] += partial[lid + step];
  }
  if (lid == 0) sums[group] = partial[0];
}

kernel void histogram(device const uint* values [[buffer(0)]], device uint* bins [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  bins[values[i] % 8] += 1;
}

kernel void smooth(device float* line [[buffer(0)]], constant uint& n [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  if (i + 1 < n) line[i] = 0.5f * (line[i] + line[i + 1]);
}

kernel void flags(device const float* x [[buffer(0)]], device uint* has_negative [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  if (x[i] < 0) has_negative[0] = 1;
}

kernel void row_max(device const float* x [[buffer(0)]], device float* result [[buffer(1)]],
                    constant uint& n [[buffer(2)]], threadgroup float* best [[threadgroup(0)]],
                    uint lid [[thread_index_in_threadgroup]]) {
  if (lid < n) best[lid] = x[lid];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lid != 0) return;
  float value = best[0];
  for (uint k = 1; k < 64; ++k) value = max(value, best[k]);
  result[0] = value;
}

kernel void axpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = 2.0f * x[i];
}

kernel void early_exit(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                       constant uint& n [[buffer(2)]], threadgroup float* tile [[threadgroup(0)]],
                       uint i [[thread_position_in_grid]],
                       uint lid [[thread_index_in_threadgroup]]) {
  if (i >= n) return;
  tile[lid] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[0];
}

kernel void wide_copy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                      constant uint& first [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  device const float4* rows = (device const float4*)(x + first);
  y[i] = rows[i].x;
}

kernel void tiles(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant uint& tile [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i / tile];
}

kernel void pick(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 constant uint& rows [[buffer(2)]], constant uint& columns [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = x[i + rows * columns];
}

kernel void normalise(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  y[i] = x[i] / (x[i] - x[i / 2]);
}
