// SIMD-group and quadgroup functions for all element sizes, and a kernel's own overloads of them.
#include <metal_stdlib>
#include <metal_simdgroup>
using namespace metal;

struct Complex {
  float real, imag;
};
inline Complex simd_shuffle_down(Complex v, ushort delta) {
  return Complex{simd_shuffle_down(v.real, delta), simd_shuffle_down(v.imag, delta)};
}
inline ulong simd_shuffle_down(ulong v, ushort delta) {
  return as_type<ulong>(metal::simd_shuffle_down(as_type<uint2>(v), delta));
}

template <typename T>
T every_reduction(T x) {
  T sum = simd_sum(x) + simd_product(x) + simd_min(x) + simd_max(x);
  sum += simd_prefix_inclusive_sum(x) + simd_prefix_exclusive_sum(x);
  sum += simd_prefix_inclusive_product(x) + simd_prefix_exclusive_product(x);
  sum += quad_sum(x) + quad_product(x) + quad_min(x) + quad_max(x);
  sum += quad_prefix_inclusive_sum(x) + quad_prefix_exclusive_product(x);
  return sum;
}

template <typename T>
T every_shuffle(T x, T fill, ushort n) {
  T sum = simd_shuffle(x, n) + simd_shuffle_up(x, n) + simd_shuffle_down(x, n);
  sum += simd_shuffle_xor(x, n) + simd_shuffle_rotate_up(x, n) + simd_shuffle_rotate_down(x, n);
  sum += simd_shuffle_and_fill_up(x, fill, n) + simd_shuffle_and_fill_down(x, fill, n);
  sum += simd_shuffle_and_fill_up(x, fill, n, 8) + simd_shuffle_and_fill_down(x, fill, n, 16);
  sum += simd_broadcast(x, 5) + simd_broadcast_first(x);
  sum += quad_shuffle(x, n) + quad_shuffle_up(x, n) + quad_shuffle_down(x, n);
  sum += quad_shuffle_xor(x, n) + quad_shuffle_rotate_up(x, 1) + quad_shuffle_rotate_down(x, 1);
  sum += quad_broadcast(x, 3) + quad_broadcast_first(x);
  return sum;
}

kernel void simdgroup(device float* f [[buffer(0)]], device half4* h [[buffer(1)]],
                      device bfloat* b [[buffer(2)]], device uint* u [[buffer(3)]],
                      device short2* s [[buffer(4)]], device long* l [[buffer(5)]],
                      device Complex* c [[buffer(6)]], device uchar* bytes [[buffer(7)]],
                      uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                      ushort lanes [[threads_per_simdgroup]]) {
  f[i] = every_reduction(f[i]) + every_shuffle(f[i], 0.0f, 3);
  h[i] = every_reduction(h[i]) + every_shuffle(h[i], half4(0), lane);
  b[i] = every_reduction(b[i]) + every_shuffle(b[i], bfloat(0.0f), 3);
  u[i] = every_reduction(u[i]) + every_shuffle(u[i], 7u, lane);
  s[i] = every_reduction(s[i]) + every_shuffle(s[i], short2(1, 2), 3);
  l[i] = every_reduction(l[i]) + every_shuffle(l[i], 0l, 3);
  bytes[i] = every_reduction(bytes[i]) + every_shuffle(bytes[i], uchar(1), 3);
  u[i] += simd_and(u[i]) + simd_or(u[i]) + simd_xor(u[i]) + quad_xor(u[i]) + quad_and(u[i]);
  l[i] ^= simd_xor(l[i]) | simd_or(l[i]);
  c[i] = simd_shuffle_down(c[i], 1);
  l[i] += simd_shuffle_down(ulong(l[i]), 1);
  simd_vote vote = simd_ballot(f[i] > 0);
  u[i] += uint((simd_vote::vote_t)vote) + vote.any() + simd_active_threads_mask().all();
  u[i] += popcount(uint(ulong(simd_ballot(lane < 5))));
  if (simd_is_first() && simd_all(f[i] > 0) && !simd_any(f[i] < 0)) u[i] = lanes;
  if (quad_all(f[i] > 0) || quad_any(f[i] < 0) || quad_is_first()) u[i] += 1;
  u[i] += static_cast<quad_vote::vote_t>(quad_ballot(f[i] > 1));
  simdgroup_barrier(mem_flags::mem_none);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  threadgroup_barrier(mem_flags::mem_device, thread_scope_device);
  u[i] += __metal_get_simdgroup_size(ushort()) + __metal_simd_shuffle_xor(u[i], ushort(1));
  f[i] += __metal_simd_sum(f[i]) + __metal_simd_shuffle_and_fill_up(f[i], 0.0f, ushort(1), ushort(32));
}
