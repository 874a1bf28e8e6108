// The floating-point functions for every type: half and bfloat compute in float and round once,
// vectors go element by element. The float versions are in metal_math_scalar.h. Names without
// fast:: or precise:: take the math mode of the library.
#pragma once

#include "metal_integer.h"

namespace metal {

// Functors __assay::precise_<name>_op and __assay::fast_<name>_op over the float functions.
#define ASSAY_MATH_FUNCTOR_1(space, name) \
  struct space##_##name##_op {            \
    template <typename T>                 \
    METAL_FUNC static T call(T x) {       \
      return T(space::name(float(x)));    \
    }                                     \
  };
#define ASSAY_MATH_FUNCTOR_2(space, name)        \
  struct space##_##name##_op {                   \
    template <typename T>                        \
    METAL_FUNC static T call(T x, T y) {         \
      return T(space::name(float(x), float(y))); \
    }                                            \
  };
#define ASSAY_MATH_FUNCTOR_3(space, name)                  \
  struct space##_##name##_op {                             \
    template <typename T>                                  \
    METAL_FUNC static T call(T x, T y, T z) {              \
      return T(space::name(float(x), float(y), float(z))); \
    }                                                      \
  };
#define ASSAY_MATH_FUNCTION_1(space, name)                                   \
  template <typename A, typename... Rest>                                    \
  METAL_FUNC __assay::float_t<A> name(A a, __assay::absent<Rest>...) {         \
    return __assay::lift<__assay::space##_##name##_op>(__assay::float_t<A>(a)); \
  }
#define ASSAY_MATH_FUNCTION_2(space, name)                                    \
  template <typename A, typename B, typename... Rest>                         \
  METAL_FUNC __assay::float_t<A, B> name(A a, B b, __assay::absent<Rest>...) {  \
    typedef __assay::float_t<A, B> type;                                       \
    return __assay::lift<__assay::space##_##name##_op>(type(a), type(b));       \
  }
#define ASSAY_MATH_FUNCTION_3(space, name)                                            \
  template <typename A, typename B, typename C, typename... Rest>                     \
  METAL_FUNC __assay::float_t<A, B, C> name(A a, B b, C c, __assay::absent<Rest>...) {  \
    typedef __assay::float_t<A, B, C> type;                                            \
    return __assay::lift<__assay::space##_##name##_op>(type(a), type(b), type(c));      \
  }
// The plain overloads for half and float; precise:: and fast:: have those for float already.
#define ASSAY_MATH_PLAIN_1(space, name)                                             \
  METAL_FUNC half name(half a) { return __assay::space##_##name##_op::call(a); }     \
  METAL_FUNC float name(float a) { return __assay::space##_##name##_op::call(a); }
#define ASSAY_MATH_PLAIN_2(space, name)                                                       \
  METAL_FUNC half name(half a, half b) { return __assay::space##_##name##_op::call(a, b); }    \
  METAL_FUNC float name(float a, float b) { return __assay::space##_##name##_op::call(a, b); }
#define ASSAY_MATH_PLAIN_3(space, name)                       \
  METAL_FUNC half name(half a, half b, half c) {              \
    return __assay::space##_##name##_op::call(a, b, c);        \
  }                                                           \
  METAL_FUNC float name(float a, float b, float c) {          \
    return __assay::space##_##name##_op::call(a, b, c);        \
  }

// Applies M_1, M_2 or M_3 by the number of arguments.
#define ASSAY_MATH_LIST(M, space)                                                    \
  M##_1(space, acos) M##_1(space, acosh) M##_1(space, asin) M##_1(space, asinh)      \
  M##_1(space, atan) M##_1(space, atanh) M##_1(space, ceil) M##_1(space, cos)        \
  M##_1(space, cosh) M##_1(space, cospi) M##_1(space, exp) M##_1(space, exp10)       \
  M##_1(space, exp2) M##_1(space, fabs) M##_1(space, floor) M##_1(space, fract)      \
  M##_1(space, log) M##_1(space, log10) M##_1(space, log2) M##_1(space, rint)        \
  M##_1(space, round) M##_1(space, rsqrt) M##_1(space, sin) M##_1(space, sinh)       \
  M##_1(space, sinpi) M##_1(space, sqrt) M##_1(space, tan) M##_1(space, tanh)        \
  M##_1(space, tanpi) M##_1(space, trunc)                                            \
  M##_2(space, atan2) M##_2(space, copysign) M##_2(space, divide) M##_2(space, fdim) \
  M##_2(space, fmax) M##_2(space, fmin) M##_2(space, fmod) M##_2(space, pow)         \
  M##_2(space, powr)                                                                 \
  M##_3(space, fma) M##_3(space, fmax3) M##_3(space, fmin3) M##_3(space, fmedian3)

namespace __assay {

ASSAY_MATH_LIST(ASSAY_MATH_FUNCTOR, precise)
ASSAY_MATH_LIST(ASSAY_MATH_FUNCTOR, fast)

struct nextafter_op {
  METAL_FUNC static float call(float x, float y) { return precise::nextafter(x, y); }
  template <typename T>
  METAL_FUNC static T call(T x, T y) {
    if (isunordered_op::call(x, y)) return isnan_op::call(x) ? x : y;
    if (x == y) return y;
    ushort sign = ushort(y < x ? 0x8000 : 0);
    if (x == T(0.0f)) return __builtin_bit_cast(T, ushort(sign | 1));
    ushort bits = __builtin_bit_cast(ushort, x);
    bool grows = (bits & 0x8000) == sign;
    return __builtin_bit_cast(T, ushort(grows ? bits + 1 : bits - 1));
  }
};
struct ldexp_op {
  template <typename T>
  METAL_FUNC static T call(T x, int exponent) {
    return T(precise::ldexp(float(x), exponent));
  }
};
struct ilogb_op {
  template <typename T>
  METAL_FUNC static int call(T x) {
    return precise::ilogb(float(x));
  }
};

// Functions with a second result by reference, element by element.
struct frexp_op {
  template <typename T>
  METAL_FUNC static T call(T x, thread int& exponent) {
    return T(precise::frexp(float(x), exponent));
  }
};
struct modf_op {
  template <typename T>
  METAL_FUNC static T call(T x, thread T& whole) {
    float wide = 0.0f;
    T fraction = T(precise::modf(float(x), wide));
    whole = T(wide);
    return fraction;
  }
};
struct precise_sincos_op {
  template <typename T>
  METAL_FUNC static T call(T x, thread T& cosine) {
    float wide = 0.0f;
    T sine = T(precise::sincos(float(x), wide));
    cosine = T(wide);
    return sine;
  }
};
struct fast_sincos_op {
  template <typename T>
  METAL_FUNC static T call(T x, thread T& cosine) {
    float wide = 0.0f;
    T sine = T(fast::sincos(float(x), wide));
    cosine = T(wide);
    return sine;
  }
};

template <typename F, typename T, typename U>
METAL_FUNC T lift_out(T x, thread U& second) {
  return F::call(x, second);
}
template <typename F, typename T, typename U>
METAL_FUNC vec<T, 2> lift_out(vec<T, 2> a, thread vec<U, 2>& second) {
  return vec<T, 2>(F::call(a.x, second.x), F::call(a.y, second.y));
}
template <typename F, typename T, typename U>
METAL_FUNC vec<T, 3> lift_out(vec<T, 3> a, thread vec<U, 3>& second) {
  return vec<T, 3>(F::call(a.x, second.x), F::call(a.y, second.y), F::call(a.z, second.z));
}
template <typename F, typename T, typename U>
METAL_FUNC vec<T, 4> lift_out(vec<T, 4> a, thread vec<U, 4>& second) {
  return vec<T, 4>(F::call(a.x, second.x), F::call(a.y, second.y), F::call(a.z, second.z),
                   F::call(a.w, second.w));
}

}  // namespace __assay

// Same in all three namespaces, but for sincos.
#define ASSAY_MATH_REST(space)                                                          \
  template <typename A, typename B>                                                     \
  METAL_FUNC __assay::float_t<A, B> nextafter(A a, B b) {                                \
    typedef __assay::float_t<A, B> type;                                                 \
    return __assay::lift<__assay::nextafter_op>(type(a), type(b));                        \
  }                                                                                     \
  template <typename A, typename B>                                                     \
  METAL_FUNC __assay::float_t<A> ldexp(A a, B exponent) {                                \
    typedef __assay::float_t<A> type;                                                    \
    return __assay::lift<__assay::ldexp_op>(type(a),                                      \
                                          __assay::with_element_t<type, int>(exponent)); \
  }                                                                                     \
  template <typename A>                                                                 \
  METAL_FUNC __assay::with_element_t<__assay::float_t<A>, int> ilogb(A a) {               \
    return __assay::lift<__assay::ilogb_op>(__assay::float_t<A>(a));                       \
  }                                                                                     \
  template <typename A>                                                                 \
  METAL_FUNC __assay::float_t<A> frexp(                                                  \
      A a, thread __assay::with_element_t<__assay::float_t<A>, int>& exponent) {          \
    return __assay::lift_out<__assay::frexp_op>(__assay::float_t<A>(a), exponent);         \
  }                                                                                     \
  template <typename A>                                                                 \
  METAL_FUNC __assay::float_t<A> modf(A a, thread __assay::float_t<A>& whole) {           \
    return __assay::lift_out<__assay::modf_op>(__assay::float_t<A>(a), whole);             \
  }                                                                                     \
  template <typename A>                                                                 \
  METAL_FUNC __assay::float_t<A> sincos(A a, thread __assay::float_t<A>& cosine) {        \
    return __assay::lift_out<__assay::space##_sincos_op>(__assay::float_t<A>(a), cosine);  \
  }

namespace precise {
ASSAY_MATH_LIST(ASSAY_MATH_FUNCTION, precise)
ASSAY_MATH_REST(precise)
}  // namespace precise

namespace fast {
ASSAY_MATH_LIST(ASSAY_MATH_FUNCTION, fast)
ASSAY_MATH_REST(fast)
}  // namespace fast

#ifdef __FAST_MATH__
ASSAY_MATH_LIST(ASSAY_MATH_FUNCTION, fast)
ASSAY_MATH_LIST(ASSAY_MATH_PLAIN, fast)
ASSAY_MATH_REST(fast)
#else
ASSAY_MATH_LIST(ASSAY_MATH_FUNCTION, precise)
ASSAY_MATH_LIST(ASSAY_MATH_PLAIN, precise)
ASSAY_MATH_REST(precise)
#endif

}  // namespace metal
