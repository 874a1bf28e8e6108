// One lane has the value, and the others get it from there.
#include <metal_stdlib>
using namespace metal;

static float shared(float value) { return simd_broadcast_first(value); }

kernel void append(device const float* x [[buffer(0)]],
                   device float* kept [[buffer(1)]],
                   device atomic_uint* count [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  const bool keeps = x[i] >= 0.0f;
  const uint mine = simd_prefix_exclusive_sum(keeps ? 1u : 0u);
  const uint all = simd_sum(keeps ? 1u : 0u);
  uint first;
  if (lane == 0) first = atomic_fetch_add_explicit(count, all, memory_order_relaxed);
  first = simd_broadcast(first, 0);
  if (keeps) kept[first + mine] = x[i];
}

kernel void append_some(device const float* x [[buffer(0)]],
                        device float* kept [[buffer(1)]],
                        device atomic_uint* count [[buffer(2)]],
                        uint i [[thread_position_in_grid]]) {
  if (x[i] < 3.0f) return;
  uint first;
  const uint mine = simd_prefix_exclusive_sum(1u);
  const uint all = simd_sum(1u);
  if (simd_is_first()) first = atomic_fetch_add_explicit(count, all, memory_order_relaxed);
  first = simd_broadcast_first(first);
  kept[first + mine] = x[i];
}

kernel void hand_over(device const float4* x [[buffer(0)]],
                      device float4* y [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  float4 row;
  half2 scale;
  float bias;
  if (lane < 4) row = x[i];
  if (lane == 7) scale = half2(2.0h, 3.0h);
  if (simd_is_first()) bias = 0.5f;
  row = simd_shuffle(row, ushort(lane & 3));
  scale = simd_broadcast(scale, 7);
  y[i] = row * float(scale.y) + shared(bias);
}

kernel void exchange(device const float* x [[buffer(0)]],
                     device float* y [[buffer(1)]],
                     uint i [[thread_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  float value;
  if (lane % 2 == 0) value = x[i];
  const float other = simd_shuffle_xor(value, 1);
  if (lane % 2 == 1) value = other;
  const float above = simd_shuffle_down(value, 16);
  y[i] = lane < 16 ? value + above : value;
}
