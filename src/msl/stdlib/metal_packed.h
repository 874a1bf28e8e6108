// packed_vec<T, N> (packed_float3 …): vectors in memory with the alignment of their elements.
// Computation converts to vec first.
#pragma once

#include "metal_operands.h"

namespace metal {

#define ASSAY_SAME(c, op) c
#define ASSAY_FROM_V(c, op) c(v.c)
#define ASSAY_PACKED_CONVERSIONS(n, space)                                               \
  METAL_FUNC constexpr packed_vec(vec<T, n> v) space : ASSAY_EACH_##n(ASSAY_FROM_V, ) {} \
  template <typename U, typename = enable_if_t<!__is_same(T, U)>>                        \
  METAL_FUNC explicit constexpr packed_vec(vec<U, n> v) space : packed_vec(vec<T, n>(v)) {} \
  template <typename U, typename = enable_if_t<!__is_same(T, U)>>                        \
  METAL_FUNC explicit constexpr packed_vec(packed_vec<U, n> v) space                     \
      : packed_vec(vec<T, n>(vec<U, n>(v))) {}                                           \
  template <typename... A, typename = decltype(vec<T, n>(A()...)),                       \
            typename = enable_if_t<(sizeof...(A) > 1)>>                                  \
  METAL_FUNC constexpr packed_vec(A... a) space : packed_vec(vec<T, n>(a...)) {}         \
  template <typename A, typename = enable_if_t<__is_arithmetic(A)>>                      \
  METAL_FUNC constexpr packed_vec(A a) space : packed_vec(vec<T, n>(__assay::convert<T>(a))) {}
#define ASSAY_PACKED_TO_VEC(n, space)                     \
  METAL_FUNC constexpr operator vec<T, n>() const space { \
    return vec<T, n>(ASSAY_EACH_##n(ASSAY_SAME, ));       \
  }

#define ASSAY_PACKED_ASSIGN(op, space)                     \
  template <typename B>                                    \
  METAL_FUNC space packed_vec& operator op##=(B b) space { \
    *this = packed_vec(vec_type(*this) op b);              \
    return *this;                                          \
  }
#define ASSAY_PACKED_ASSIGNS(space)                                                         \
  ASSAY_PACKED_ASSIGN(+, space) ASSAY_PACKED_ASSIGN(-, space) ASSAY_PACKED_ASSIGN(*, space) \
  ASSAY_PACKED_ASSIGN(/, space) ASSAY_PACKED_ASSIGN(%, space) ASSAY_PACKED_ASSIGN(&, space) \
  ASSAY_PACKED_ASSIGN(|, space) ASSAY_PACKED_ASSIGN(^, space)                               \
  ASSAY_PACKED_ASSIGN(<<, space) ASSAY_PACKED_ASSIGN(>>, space)

#define ASSAY_PACKED_MEMBERS(n)                                      \
  typedef vec<T, n> vec_type;                                        \
  packed_vec() = default;                                            \
  METAL_FUNC constexpr packed_vec() constant : packed_vec(T(0)) {}   \
  ASSAY_PACKED_CONVERSIONS(n, )                                      \
  ASSAY_PACKED_CONVERSIONS(n, constant)                              \
  ASSAY_PACKED_TO_VEC(n, ASSAY_ANY) ASSAY_PACKED_TO_VEC(n, constant) \
  ASSAY_PACKED_ASSIGNS(thread) ASSAY_PACKED_ASSIGNS(device)          \
  ASSAY_PACKED_ASSIGNS(threadgroup)                                  \
  ASSAY_VEC_SUBSCRIPT(n)                                             \
  ASSAY_SWIZZLES_##n

template <typename T>
struct packed_vec<T, 2> {
  T x, y;
  ASSAY_PACKED_MEMBERS(2)
};

template <typename T>
struct packed_vec<T, 3> {
  T x, y, z;
  ASSAY_PACKED_MEMBERS(3)
};

template <typename T>
struct packed_vec<T, 4> {
  T x, y, z, w;
  ASSAY_PACKED_MEMBERS(4)
};

namespace __assay {

template <typename A, typename B, bool Packed = is_packed<A> || is_packed<B>>
struct packed_operands {};
template <typename A, typename B>
struct packed_operands<A, B, true> : common<void, A, B> {};
template <typename A, typename B>
using packed_operands_t = typename packed_operands<A, B>::type;

}  // namespace __assay

#define ASSAY_PACKED_OPERATOR(op)                                                 \
  template <typename A, typename B, typename V = __assay::packed_operands_t<A, B>> \
  METAL_FUNC constexpr auto operator op(A a, B b) {                               \
    return V(a) op V(b);                                                          \
  }
ASSAY_PACKED_OPERATOR(+)
ASSAY_PACKED_OPERATOR(-)
ASSAY_PACKED_OPERATOR(*)
ASSAY_PACKED_OPERATOR(/)
ASSAY_PACKED_OPERATOR(%)
ASSAY_PACKED_OPERATOR(&)
ASSAY_PACKED_OPERATOR(|)
ASSAY_PACKED_OPERATOR(^)
ASSAY_PACKED_OPERATOR(<<)
ASSAY_PACKED_OPERATOR(>>)
ASSAY_PACKED_OPERATOR(==)
ASSAY_PACKED_OPERATOR(!=)
ASSAY_PACKED_OPERATOR(<)
ASSAY_PACKED_OPERATOR(<=)
ASSAY_PACKED_OPERATOR(>)
ASSAY_PACKED_OPERATOR(>=)
ASSAY_PACKED_OPERATOR(&&)
ASSAY_PACKED_OPERATOR(||)
#undef ASSAY_PACKED_OPERATOR

template <typename T, int N>
METAL_FUNC constexpr vec<T, N> operator-(packed_vec<T, N> a) {
  return -vec<T, N>(a);
}
template <typename T, int N>
METAL_FUNC constexpr vec<T, N> operator~(packed_vec<T, N> a) {
  return ~vec<T, N>(a);
}

}  // namespace metal

#define ASSAY_PACKED_NAMES(T)                    \
  typedef metal::packed_vec<T, 2> packed_##T##2; \
  typedef metal::packed_vec<T, 3> packed_##T##3; \
  typedef metal::packed_vec<T, 4> packed_##T##4; \
  namespace metal {                              \
  using ::packed_##T##2;                         \
  using ::packed_##T##3;                         \
  using ::packed_##T##4;                         \
  }
ASSAY_PACKED_NAMES(bool)
ASSAY_PACKED_NAMES(char)
ASSAY_PACKED_NAMES(uchar)
ASSAY_PACKED_NAMES(short)
ASSAY_PACKED_NAMES(ushort)
ASSAY_PACKED_NAMES(int)
ASSAY_PACKED_NAMES(uint)
ASSAY_PACKED_NAMES(long)
ASSAY_PACKED_NAMES(ulong)
ASSAY_PACKED_NAMES(half)
ASSAY_PACKED_NAMES(bfloat)
ASSAY_PACKED_NAMES(float)
#undef ASSAY_PACKED_NAMES
