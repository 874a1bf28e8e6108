// How functions take any mix of scalars and vectors: operand types, their common type, and lifting
// of a scalar function to vectors. Functions of the library that have overloads are templates over
// these, and end in an empty pack (`Rest`): so a kernel's own function or template of the same name
// is the better match and never ambiguous. Beside them stand plain overloads for the scalars that
// Metal has overloads for: these win over a kernel's templates, as they do in Metal.
#pragma once

#include "metal_vector.h"

namespace metal {
namespace __assay {

// Type of the parameters that are never there: nothing can be passed for them.
template <typename T>
struct absent {
  absent() = delete;
};

// What a value counts as in a call: the scalar or vector type it turns into. No type for others.
template <typename T, typename = void>
struct operand {};
template <typename T>
struct operand<T, enable_if_t<__is_arithmetic(T)>> {
  typedef T type;
};
template <typename T>
struct operand<T, enable_if_t<__is_enum(T) && __is_convertible(T, int)>> {
  typedef __underlying_type(T) type;
};
template <typename T, int N>
struct operand<vec<T, N>> {
  typedef vec<T, N> type;
};
template <typename T, int N>
struct operand<packed_vec<T, N>> {
  typedef vec<T, N> type;
};
template <typename T>
struct operand<uniform<T>> : operand<T> {};

template <typename T>
using operand_t = typename operand<T>::type;

template <typename T>
struct element {
  typedef T type;
};
template <typename T, int N>
struct element<vec<T, N>> {
  typedef T type;
};
// Element type of an operand: itself for scalars.
template <typename T>
using element_t = typename element<operand_t<T>>::type;

template <typename T>
constexpr constant bool is_vec = false;
template <typename T, int N>
constexpr constant bool is_vec<vec<T, N>> = true;

// The same shape as Shape with other elements.
template <typename Shape, typename T>
struct with_element {
  typedef T type;
};
template <typename U, int N, typename T>
struct with_element<vec<U, N>, T> {
  typedef vec<T, N> type;
};
template <typename Shape, typename T>
using with_element_t = typename with_element<operand_t<Shape>, T>::type;

// Two scalars: C++'s arithmetic conversions, but no promotion of equal types. A scalar beside a
// vector takes the vector's type. Different vectors have nothing in common.
template <typename A, typename B, typename = void>
struct common2 {};
template <typename A>
struct common2<A, A, void> {
  typedef A type;
};
template <typename A, typename B>
struct common2<A, B, enable_if_t<is_mixed_half<A, B>>> {
  typedef float type;
};
template <typename A, typename B>
struct common2<A, B,
               enable_if_t<!__is_same(A, B) && !is_mixed_half<A, B> && __is_arithmetic(A) && __is_arithmetic(B),
                           void_t<decltype(A() + B())>>> {
  typedef decltype(A() + B()) type;
};
template <typename A, typename B>
struct common2<A, B, enable_if_t<is_vec<A> && __is_arithmetic(B)>> {
  typedef A type;
};
template <typename A, typename B>
struct common2<A, B, enable_if_t<__is_arithmetic(A) && is_vec<B>>> {
  typedef B type;
};

// The common type of one to three operands; none, rather than an error, where there is none.
template <typename Void, typename... Ts>
struct common {};
template <typename A>
struct common<void_t<operand_t<A>>, A> : operand<A> {};
template <typename A, typename B>
struct common<void_t<operand_t<A>, operand_t<B>>, A, B> : common2<operand_t<A>, operand_t<B>> {};
template <typename A, typename B, typename C>
struct common<void_t<typename common<void, A, B>::type, operand_t<C>>, A, B, C>
    : common2<typename common<void, A, B>::type, operand_t<C>> {};
template <typename... Ts>
using common_t = typename common<void, Ts...>::type;

// In a common type that floating-point functions can work on: integers become float.
template <typename T>
using floating_t = conditional_t<__is_integral(T), float, T>;
template <typename... Ts>
using math_t = floating_t<common_t<Ts...>>;

template <typename T>
constexpr constant bool is_integer_operand = __is_integral(typename element<T>::type);
// For functions that only exist for integers.
template <typename... Ts>
using integer_t = enable_if_t<is_integer_operand<common_t<Ts...>>, common_t<Ts...>>;
// For functions that only exist for floating-point types; integers are converted.
template <typename... Ts>
using float_t = enable_if_t<!is_integer_operand<math_t<Ts...>>, math_t<Ts...>>;

// F::call applied to each element.
template <typename F, typename T>
METAL_FUNC constexpr auto lift(T a) {
  return F::call(a);
}
template <typename F, typename T>
METAL_FUNC constexpr auto lift(vec<T, 2> a) {
  return vec<decltype(F::call(a.x)), 2>(F::call(a.x), F::call(a.y));
}
template <typename F, typename T>
METAL_FUNC constexpr auto lift(vec<T, 3> a) {
  return vec<decltype(F::call(a.x)), 3>(F::call(a.x), F::call(a.y), F::call(a.z));
}
template <typename F, typename T>
METAL_FUNC constexpr auto lift(vec<T, 4> a) {
  return vec<decltype(F::call(a.x)), 4>(F::call(a.x), F::call(a.y), F::call(a.z), F::call(a.w));
}

template <typename F, typename T, typename U>
METAL_FUNC constexpr auto lift(T a, U b) {
  return F::call(a, b);
}
template <typename F, typename T, typename U>
METAL_FUNC constexpr auto lift(vec<T, 2> a, vec<U, 2> b) {
  return vec<decltype(F::call(a.x, b.x)), 2>(F::call(a.x, b.x), F::call(a.y, b.y));
}
template <typename F, typename T, typename U>
METAL_FUNC constexpr auto lift(vec<T, 3> a, vec<U, 3> b) {
  return vec<decltype(F::call(a.x, b.x)), 3>(F::call(a.x, b.x), F::call(a.y, b.y),
                                             F::call(a.z, b.z));
}
template <typename F, typename T, typename U>
METAL_FUNC constexpr auto lift(vec<T, 4> a, vec<U, 4> b) {
  return vec<decltype(F::call(a.x, b.x)), 4>(F::call(a.x, b.x), F::call(a.y, b.y),
                                             F::call(a.z, b.z), F::call(a.w, b.w));
}

template <typename F, typename T, typename U, typename V>
METAL_FUNC constexpr auto lift(T a, U b, V c) {
  return F::call(a, b, c);
}
template <typename F, typename T, typename U, typename V>
METAL_FUNC constexpr auto lift(vec<T, 2> a, vec<U, 2> b, vec<V, 2> c) {
  return vec<decltype(F::call(a.x, b.x, c.x)), 2>(F::call(a.x, b.x, c.x),
                                                  F::call(a.y, b.y, c.y));
}
template <typename F, typename T, typename U, typename V>
METAL_FUNC constexpr auto lift(vec<T, 3> a, vec<U, 3> b, vec<V, 3> c) {
  return vec<decltype(F::call(a.x, b.x, c.x)), 3>(
      F::call(a.x, b.x, c.x), F::call(a.y, b.y, c.y), F::call(a.z, b.z, c.z));
}
template <typename F, typename T, typename U, typename V>
METAL_FUNC constexpr auto lift(vec<T, 4> a, vec<U, 4> b, vec<V, 4> c) {
  return vec<decltype(F::call(a.x, b.x, c.x)), 4>(
      F::call(a.x, b.x, c.x), F::call(a.y, b.y, c.y), F::call(a.z, b.z, c.z),
      F::call(a.w, b.w, c.w));
}

}  // namespace __assay

// A function of one, two or three operands of a common type, from the functor __assay::name##_op.
// `kind` is the alias above that says which operands it takes.
#define ASSAY_FUNCTION_1(kind, name)                                         \
  template <typename A, typename... Rest>                                    \
  METAL_FUNC constexpr __assay::kind<A> name(A a, __assay::absent<Rest>...) { \
    typedef __assay::kind<A> type;                                            \
    return __assay::lift<__assay::name##_op>(type(a));                         \
  }
#define ASSAY_FUNCTION_2(kind, name)                                                  \
  template <typename A, typename B, typename... Rest>                                 \
  METAL_FUNC constexpr __assay::kind<A, B> name(A a, B b, __assay::absent<Rest>...) {  \
    typedef __assay::kind<A, B> type;                                                  \
    return __assay::lift<__assay::name##_op>(type(a), type(b));                         \
  }
#define ASSAY_FUNCTION_3(kind, name)                                                         \
  template <typename A, typename B, typename C, typename... Rest>                            \
  METAL_FUNC constexpr __assay::kind<A, B, C> name(A a, B b, C c, __assay::absent<Rest>...) { \
    typedef __assay::kind<A, B, C> type;                                                      \
    return __assay::lift<__assay::name##_op>(type(a), type(b), type(c));                       \
  }

// Plain overloads for one scalar type. None for bfloat: kernels bring their own.
#define ASSAY_PLAIN_1(T, name) \
  METAL_FUNC constexpr T name(T a) { return __assay::name##_op::call(a); }
#define ASSAY_PLAIN_2(T, name) \
  METAL_FUNC constexpr T name(T a, T b) { return __assay::name##_op::call(a, b); }
#define ASSAY_PLAIN_3(T, name) \
  METAL_FUNC constexpr T name(T a, T b, T c) { return __assay::name##_op::call(a, b, c); }
#define ASSAY_FOR_FLOATS(M, name) M(half, name) M(float, name)
#define ASSAY_FOR_INTEGERS(M, name)                                                 \
  M(char, name) M(uchar, name) M(short, name) M(ushort, name) M(int, name) M(uint, name) \
  M(long, name) M(ulong, name)

}  // namespace metal
