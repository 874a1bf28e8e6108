// Atomics, fences and barriers.
#pragma once

#include "metal_type_traits.h"

namespace metal {

enum class mem_flags {
  mem_none = 0,
  mem_device = 1,
  mem_threadgroup = 2,
  mem_texture = 4,
  mem_threadgroup_imageblock = 8,
  mem_object_data = 16
};

METAL_FUNC constexpr mem_flags operator|(mem_flags a, mem_flags b) {
  return mem_flags(uint(a) | uint(b));
}
METAL_FUNC constexpr mem_flags operator&(mem_flags a, mem_flags b) {
  return mem_flags(uint(a) & uint(b));
}

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

// Metal has a system scope only since 4.0; kernels for older versions declare that one themselves.
enum thread_scope {
  thread_scope_thread = __METAL_MEMORY_SCOPE_THREAD__,
  thread_scope_simdgroup = __METAL_MEMORY_SCOPE_SIMDGROUP__,
  thread_scope_threadgroup = __METAL_MEMORY_SCOPE_THREADGROUP__,
  thread_scope_device = __METAL_MEMORY_SCOPE_DEVICE__
};

namespace __assay {

void barrier_threadgroup(uint flags) __attribute__((convergent))
__asm__("assay.barrier.threadgroup");
void barrier_simdgroup(uint flags) __attribute__((convergent)) __asm__("assay.barrier.simdgroup");
void check_fence(uint flags, uint order, uint scope) __asm__("assay.check.fence");

}  // namespace __assay

METAL_FUNC void threadgroup_barrier(mem_flags flags, thread_scope = thread_scope_threadgroup) {
  __assay::barrier_threadgroup(uint(flags));
}
METAL_FUNC void simdgroup_barrier(mem_flags flags, thread_scope = thread_scope_simdgroup) {
  __assay::barrier_simdgroup(uint(flags));
}

// All scopes fence like the device: memory is one. Only checks ask what was meant.
METAL_FUNC void atomic_thread_fence(mem_flags flags, memory_order order,
                                    thread_scope scope = thread_scope_device) {
  __assay::check_fence(uint(flags), uint(order), uint(scope));
  switch (order) {
    case memory_order_relaxed:
      break;
    case memory_order_acquire:
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      break;
    case memory_order_release:
      __atomic_thread_fence(__ATOMIC_RELEASE);
      break;
    case memory_order_acq_rel:
      __atomic_thread_fence(__ATOMIC_ACQ_REL);
      break;
    default:
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

template <typename T>
struct atomic {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || __is_same(T, bool),
                "atomics hold int, uint, float, bool, long or ulong");
  T value_;
};

// The name that Metal's own headers give it.
template <typename T>
using _atomic = atomic<T>;

namespace __assay {

template <typename T>
struct atomic_bits {
  typedef T type;
};
template <>
struct atomic_bits<float> {
  typedef uint type;
};

template <typename T>
constexpr constant bool has_atomic_sum = !__is_same(T, bool);
// Metal has no atomic minimum, maximum or bit operation on float and bool.
template <typename T>
constexpr constant bool has_atomic_bits = __is_integral(T) && !__is_same(T, bool);

}  // namespace __assay

// Orders other than relaxed are honoured as sequentially consistent, which includes them all.
#define ASSAY_ATOMIC_ORDER(call_relaxed, call_ordered)    \
  if (order == memory_order_relaxed) return call_relaxed; \
  return call_ordered;

#define ASSAY_ATOMIC_FETCH(name, builtin, condition, space)                                \
  template <typename T, typename U, typename = enable_if_t<condition>>                     \
  METAL_FUNC T atomic_fetch_##name##_explicit(volatile space atomic<T>* object, U operand, \
                                              memory_order order) {                        \
    ASSAY_ATOMIC_ORDER(builtin(&object->value_, T(operand), __ATOMIC_RELAXED),             \
                       builtin(&object->value_, T(operand), __ATOMIC_SEQ_CST))             \
  }

// Minimum and maximum without a result: all that Metal has for 64 bits.
#define ASSAY_ATOMIC_UPDATE(name, space)                                                     \
  template <typename T, typename U, typename = enable_if_t<__is_same(T, ulong)>>             \
  METAL_FUNC void atomic_##name##_explicit(volatile space atomic<T>* object, U operand,      \
                                           memory_order order) {                             \
    atomic_fetch_##name##_explicit(object, operand, order);                                  \
  }

#define ASSAY_ATOMIC_FUNCTIONS(space)                                                      \
  template <typename T>                                                                    \
  METAL_FUNC T atomic_load_explicit(const volatile space atomic<T>* object,                \
                                    memory_order order) {                                  \
    typedef typename __assay::atomic_bits<T>::type Bits;                                    \
    const volatile space Bits* bits = (const volatile space Bits*)&object->value_;         \
    Bits value = order == memory_order_relaxed ? __atomic_load_n(bits, __ATOMIC_RELAXED)   \
                                               : __atomic_load_n(bits, __ATOMIC_SEQ_CST);  \
    return __builtin_bit_cast(T, value);                                                   \
  }                                                                                        \
  template <typename T, typename U>                                                        \
  METAL_FUNC void atomic_store_explicit(volatile space atomic<T>* object, U desired,       \
                                        memory_order order) {                              \
    typedef typename __assay::atomic_bits<T>::type Bits;                                    \
    volatile space Bits* bits = (volatile space Bits*)&object->value_;                     \
    Bits value = __builtin_bit_cast(Bits, T(desired));                                     \
    if (order == memory_order_relaxed) {                                                   \
      __atomic_store_n(bits, value, __ATOMIC_RELAXED);                                     \
    } else {                                                                               \
      __atomic_store_n(bits, value, __ATOMIC_SEQ_CST);                                     \
    }                                                                                      \
  }                                                                                        \
  template <typename T, typename U>                                                        \
  METAL_FUNC T atomic_exchange_explicit(volatile space atomic<T>* object, U desired,       \
                                        memory_order order) {                              \
    typedef typename __assay::atomic_bits<T>::type Bits;                                    \
    volatile space Bits* bits = (volatile space Bits*)&object->value_;                     \
    Bits value = __builtin_bit_cast(Bits, T(desired));                                     \
    Bits old = order == memory_order_relaxed                                               \
                   ? __atomic_exchange_n(bits, value, __ATOMIC_RELAXED)                    \
                   : __atomic_exchange_n(bits, value, __ATOMIC_SEQ_CST);                   \
    return __builtin_bit_cast(T, old);                                                     \
  }                                                                                        \
  template <typename T, typename U>                                                        \
  METAL_FUNC bool atomic_compare_exchange_weak_explicit(                                   \
      volatile space atomic<T>* object, thread T* expected, U desired, memory_order order, \
      memory_order) {                                                                      \
    typedef typename __assay::atomic_bits<T>::type Bits;                                    \
    volatile space Bits* bits = (volatile space Bits*)&object->value_;                     \
    Bits value = __builtin_bit_cast(Bits, T(desired));                                     \
    Bits seen = __builtin_bit_cast(Bits, *expected);                                       \
    bool done = order == memory_order_relaxed                                              \
                    ? __atomic_compare_exchange_n(bits, &seen, value, true,                \
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED)      \
                    : __atomic_compare_exchange_n(bits, &seen, value, true,                \
                                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
    *expected = __builtin_bit_cast(T, seen);                                               \
    return done;                                                                           \
  }                                                                                        \
  ASSAY_ATOMIC_FETCH(add, __atomic_fetch_add, __assay::has_atomic_sum<T>       , space)     \
  ASSAY_ATOMIC_FETCH(sub, __atomic_fetch_sub, __assay::has_atomic_sum<T>       , space)     \
  ASSAY_ATOMIC_FETCH(min, __atomic_fetch_min, __assay::has_atomic_bits<T>, space)           \
  ASSAY_ATOMIC_FETCH(max, __atomic_fetch_max, __assay::has_atomic_bits<T>, space)           \
  ASSAY_ATOMIC_FETCH(and, __atomic_fetch_and, __assay::has_atomic_bits<T>, space)           \
  ASSAY_ATOMIC_FETCH(or, __atomic_fetch_or, __assay::has_atomic_bits<T>, space)             \
  ASSAY_ATOMIC_FETCH(xor, __atomic_fetch_xor, __assay::has_atomic_bits<T>, space)           \
  ASSAY_ATOMIC_UPDATE(min, space)                                                          \
  ASSAY_ATOMIC_UPDATE(max, space)

ASSAY_ATOMIC_FUNCTIONS(device)
ASSAY_ATOMIC_FUNCTIONS(threadgroup)
#undef ASSAY_ATOMIC_FUNCTIONS
#undef ASSAY_ATOMIC_UPDATE
#undef ASSAY_ATOMIC_FETCH
#undef ASSAY_ATOMIC_ORDER

}  // namespace metal

// Macros, because the compiler's base language has types of its own under some of these names.
#define atomic_int atomic<int>
#define atomic_uint atomic<unsigned int>
#define atomic_bool atomic<bool>
#define atomic_float atomic<float>
#define atomic_long atomic<long>
#define atomic_ulong atomic<unsigned long>
