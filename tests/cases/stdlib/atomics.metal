// Atomics in device and threadgroup memory, all operations.
#include <metal_stdlib>
#include <metal_atomic>
using namespace metal;

#pragma METAL internals : enable
template <typename T>
constexpr constant bool is_plain_atomic = _disjunction<is_same<T, int>, is_same<T, uint>>::value;

template <typename T, typename = void>
struct Cell {
  atomic<uint> bits;
};
template <typename T>
struct Cell<T, enable_if_t<is_plain_atomic<T>>> {
  atomic<T> bits;
};

// A maximum of floats, built on compare-exchange.
inline void store_maximum(volatile device atomic_uint* cell, float value) {
  uint seen = atomic_load_explicit(cell, memory_order_relaxed);
  while (as_type<float>(seen) < value &&
         !atomic_compare_exchange_weak_explicit(cell, &seen, as_type<uint>(value),
                                                memory_order_relaxed, memory_order_relaxed)) {
  }
}

kernel void atomics(device atomic_int* i32 [[buffer(0)]], device atomic_uint* u32 [[buffer(1)]],
                    device atomic<float>* f32 [[buffer(2)]], device atomic_ulong* u64 [[buffer(3)]],
                    device atomic_bool* flags [[buffer(4)]], device uint* plain [[buffer(5)]],
                    device Cell<int>* cells [[buffer(6)]], uint i [[thread_position_in_grid]],
                    uint local_index [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint counts[32];
  atomic_store_explicit(&counts[local_index % 32], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&counts[i % 32], 1, memory_order_relaxed);
  atomic_fetch_or_explicit(&counts[0], 1u << 31, memory_order_relaxed);
  int old = atomic_fetch_add_explicit(i32, 1, memory_order_relaxed);
  old += atomic_fetch_sub_explicit(i32, old, memory_order_relaxed);
  old += atomic_fetch_min_explicit(i32, old, memory_order_relaxed);
  old += atomic_fetch_max_explicit(i32, old, memory_order_relaxed);
  old += atomic_fetch_xor_explicit(u32, uint(old), memory_order_relaxed);
  old += atomic_fetch_and_explicit(u32 + 1, 0xff, memory_order_relaxed);
  float before = atomic_fetch_add_explicit(f32, 1.5f, memory_order_relaxed);
  before += atomic_exchange_explicit(&f32[1], before, memory_order_relaxed);
  before += atomic_load_explicit(f32, memory_order_relaxed);
  atomic_fetch_sub_explicit(f32, before, memory_order_relaxed);
  atomic_fetch_max_explicit(u64, 5ul, memory_order_relaxed);
  atomic_fetch_min_explicit(u64 + 1, ulong(i), memory_order_relaxed);
  atomic_store_explicit(flags, true, memory_order_relaxed);
  store_maximum((device atomic_uint*)plain, before);
  atomic_fetch_add_explicit((device atomic_uint*)&plain[1], 1u, memory_order_relaxed);
  atomic_fetch_add_explicit(reinterpret_cast<device metal::atomic_int*>(plain), 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&cells[i].bits, old, memory_order_relaxed);
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
}
