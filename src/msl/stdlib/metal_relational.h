// Bit casts, selection, and tests on scalars and vectors.
#pragma once

#include "metal_math_scalar.h"
#include "metal_operands.h"
#include "metal_packed.h"

// In Metal as_type is part of the language: it needs no namespace.
template <typename To, typename From>
METAL_FUNC constexpr To as_type(From value) {
  static_assert(sizeof(To) == sizeof(From), "as_type needs two types of the same size");
  return __builtin_bit_cast(To, value);
}

namespace metal {

using ::as_type;

namespace __assay {

struct select_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T a, T b, bool c) {
    return c ? b : a;
  }
};

struct isnan_op {
  template <typename T>
  METAL_FUNC static constexpr bool call(T x) {
    return (__builtin_bit_cast(uint, float(x)) & 0x7fffffffu) > 0x7f800000u;
  }
};
struct isinf_op {
  template <typename T>
  METAL_FUNC static constexpr bool call(T x) {
    return (__builtin_bit_cast(uint, float(x)) & 0x7fffffffu) == 0x7f800000u;
  }
};
struct isfinite_op {
  template <typename T>
  METAL_FUNC static constexpr bool call(T x) {
    return (__builtin_bit_cast(uint, float(x)) & 0x7fffffffu) < 0x7f800000u;
  }
};
struct isnormal_op {
  METAL_FUNC static constexpr bool call(float x) {
    return (__builtin_bit_cast(uint, x) & 0x7fffffffu) - 0x00800000u < 0x7f000000u;
  }
  METAL_FUNC static constexpr bool call(bfloat x) { return call(float(x)); }
  // The smallest normal half is 2^-14; as a float it and everything above stay normal.
  METAL_FUNC static constexpr bool call(half x) {
    return (__builtin_bit_cast(ushort, x) & 0x7fffu) - 0x0400u < 0x7800u;
  }
};
struct signbit_op {
  template <typename T>
  METAL_FUNC static constexpr bool call(T x) {
    return (__builtin_bit_cast(uint, float(x)) >> 31) != 0;
  }
};
struct isunordered_op {
  template <typename T>
  METAL_FUNC static constexpr bool call(T x, T y) {
    return isnan_op::call(x) || isnan_op::call(y);
  }
};
struct isordered_op {
  template <typename T>
  METAL_FUNC static constexpr bool call(T x, T y) {
    return !isunordered_op::call(x, y);
  }
};

template <typename T>
using bool_shape_t = with_element_t<T, bool>;

}  // namespace __assay

// b where c is true, a elsewhere.
template <typename A, typename B, typename C, typename... Rest>
METAL_FUNC constexpr __assay::common_t<A, B> select(A a, B b, C c, __assay::absent<Rest>...) {
  typedef __assay::common_t<A, B> type;
  typedef __assay::bool_shape_t<type> condition;
  return __assay::lift<__assay::select_op>(type(a), type(b), condition(c));
}

template <typename T>
METAL_FUNC constexpr bool all(vec<T, 2> v) {
  return v.x && v.y;
}
template <typename T>
METAL_FUNC constexpr bool all(vec<T, 3> v) {
  return v.x && v.y && v.z;
}
template <typename T>
METAL_FUNC constexpr bool all(vec<T, 4> v) {
  return v.x && v.y && v.z && v.w;
}
template <typename T, typename = enable_if_t<__is_arithmetic(T)>>
METAL_FUNC constexpr bool all(T x) {
  return bool(x);
}

template <typename T>
METAL_FUNC constexpr bool any(vec<T, 2> v) {
  return v.x || v.y;
}
template <typename T>
METAL_FUNC constexpr bool any(vec<T, 3> v) {
  return v.x || v.y || v.z;
}
template <typename T>
METAL_FUNC constexpr bool any(vec<T, 4> v) {
  return v.x || v.y || v.z || v.w;
}
template <typename T, typename = enable_if_t<__is_arithmetic(T)>>
METAL_FUNC constexpr bool any(T x) {
  return bool(x);
}

#define ASSAY_TEST_1(name)                                            \
  template <typename A, typename... Rest>                             \
  METAL_FUNC constexpr __assay::bool_shape_t<__assay::float_t<A>> name( \
      A a, __assay::absent<Rest>...) {                                 \
    return __assay::lift<__assay::name##_op>(__assay::float_t<A>(a));    \
  }
#define ASSAY_TEST_2(name)                                               \
  template <typename A, typename B, typename... Rest>                    \
  METAL_FUNC constexpr __assay::bool_shape_t<__assay::float_t<A, B>> name( \
      A a, B b, __assay::absent<Rest>...) {                               \
    typedef __assay::float_t<A, B> type;                                  \
    return __assay::lift<__assay::name##_op>(type(a), type(b));            \
  }
#define ASSAY_PLAIN_TEST_1(name)                                                \
  METAL_FUNC constexpr bool name(half a) { return __assay::name##_op::call(a); } \
  METAL_FUNC constexpr bool name(float a) { return __assay::name##_op::call(a); }
#define ASSAY_PLAIN_TEST_2(name)                                                            \
  METAL_FUNC constexpr bool name(half a, half b) { return __assay::name##_op::call(a, b); }  \
  METAL_FUNC constexpr bool name(float a, float b) { return __assay::name##_op::call(a, b); }
#define ASSAY_TESTS(M)                                                    \
  M##_1(isnan) M##_1(isinf) M##_1(isfinite) M##_1(isnormal) M##_1(signbit) \
  M##_2(isordered) M##_2(isunordered)

ASSAY_TESTS(ASSAY_TEST)
ASSAY_TESTS(ASSAY_PLAIN_TEST)
namespace fast {
ASSAY_TESTS(ASSAY_TEST)
}
namespace precise {
ASSAY_TESTS(ASSAY_TEST)
}
#undef ASSAY_TESTS
#undef ASSAY_PLAIN_TEST_2
#undef ASSAY_PLAIN_TEST_1
#undef ASSAY_TEST_2
#undef ASSAY_TEST_1

#define ASSAY_RELATION(name, op)                                                     \
  template <typename A, typename B>                                                  \
  METAL_FUNC constexpr __assay::bool_shape_t<__assay::common_t<A, B>> name(A a, B b) { \
    typedef __assay::common_t<A, B> type;                                             \
    return type(a) op type(b);                                                       \
  }
ASSAY_RELATION(isequal, ==)
ASSAY_RELATION(isnotequal, !=)
ASSAY_RELATION(isgreater, >)
ASSAY_RELATION(isgreaterequal, >=)
ASSAY_RELATION(isless, <)
ASSAY_RELATION(islessequal, <=)
#undef ASSAY_RELATION

template <typename A, typename B>
METAL_FUNC constexpr __assay::bool_shape_t<__assay::common_t<A, B>> islessgreater(A a, B b) {
  typedef __assay::common_t<A, B> type;
  return (type(a) < type(b)) || (type(a) > type(b));
}

}  // namespace metal
