// vec<T, 8> and vec<T, 16>: no types of the language with names of their own, but Metal's compiler
// has them, and kernels keep what a thread has of a larger matrix in them.
#pragma once

#include "metal_vector.h"

namespace metal {

#define ASSAY_WIDE_SUBSCRIPT(space)                                                      \
  METAL_FUNC constexpr space T& operator[](size_t i) space& { return elements_[i]; }     \
  METAL_FUNC constexpr const space T& operator[](size_t i) const space& {                \
    return elements_[i];                                                                 \
  }
#define ASSAY_WIDE_BINARY(op)                                             \
  friend METAL_FUNC vec operator op(vec a, vec b) {                       \
    for (int i = 0; i < size_; ++i) a.elements_[i] = T(a[i] op b[i]);     \
    return a;                                                             \
  }                                                                       \
  METAL_FUNC thread vec& operator op##=(vec b) thread {                   \
    for (int i = 0; i < size_; ++i) elements_[i] = T(elements_[i] op b[i]); \
    return *this;                                                         \
  }

#define ASSAY_WIDE_VECTOR(n)                                                          \
  template <typename T>                                                               \
  struct alignas(n * sizeof(T)) vec<T, __components[n]> {                             \
    static constexpr constant int size_ = n;                                          \
    T elements_[n];                                                                   \
                                                                                      \
    vec() = default;                                                                  \
    METAL_FUNC vec(T s) {                                                             \
      for (int i = 0; i < n; ++i) elements_[i] = s;                                   \
    }                                                                                 \
    template <typename... A, typename = enable_if_t<sizeof...(A) == n>>               \
    METAL_FUNC constexpr vec(A... a) : elements_{__assay::convert<T>(a)...} {}        \
    template <typename... A, typename = enable_if_t<sizeof...(A) == n>>               \
    METAL_FUNC constexpr vec(A... a) constant : elements_{__assay::convert<T>(a)...} {} \
    template <typename A>                                                             \
    METAL_FUNC explicit vec(metal::vec<A, n> a) {                                     \
      for (int i = 0; i < n; ++i) elements_[i] = __assay::convert<T>(a.elements_[i]); \
    }                                                                                 \
    ASSAY_WIDE_SUBSCRIPT(thread)                                                      \
    ASSAY_WIDE_SUBSCRIPT(device)                                                      \
    ASSAY_WIDE_SUBSCRIPT(threadgroup)                                                 \
    METAL_FUNC constexpr const constant T& operator[](size_t i) const constant& {     \
      return elements_[i];                                                            \
    }                                                                                 \
    METAL_FUNC constexpr T operator[](size_t i) ASSAY_ANY&& { return elements_[i]; }  \
    ASSAY_WIDE_BINARY(+)                                                              \
    ASSAY_WIDE_BINARY(-)                                                              \
    ASSAY_WIDE_BINARY(*)                                                              \
    ASSAY_WIDE_BINARY(/)                                                              \
    friend METAL_FUNC vec operator-(vec a) {                                          \
      for (int i = 0; i < n; ++i) a.elements_[i] = T(-a[i]);                          \
      return a;                                                                       \
    }                                                                                 \
  };

namespace __vectors {

ASSAY_WIDE_VECTOR(8)
ASSAY_WIDE_VECTOR(16)

}  // namespace __vectors

#undef ASSAY_WIDE_VECTOR
#undef ASSAY_WIDE_BINARY
#undef ASSAY_WIDE_SUBSCRIPT

}  // namespace metal
