// What the compiler writes into conversions, calls and conditional operators (see half_casts.h,
// thread_operands.h and conditional_tokens.h), and operators that its base language lacks.
#pragma once

#include "metal_config.h"

namespace metal {
namespace __assay {

template <typename T>
struct without_space {
  typedef T type;
};
template <typename T>
struct without_space<device T> {
  typedef T type;
};
template <typename T>
struct without_space<threadgroup T> {
  typedef T type;
};
template <typename T>
struct without_space<__constant T> {
  typedef T type;
};
template <typename T>
struct without_space<thread T> {
  typedef T type;
};
template <typename T>
struct plain : without_space<__remove_cvref(T)> {};

// What decltype names: a variable's type says where it is, unless that is thread memory.
template <typename T>
struct without_thread {
  typedef T type;
};
template <typename T>
struct without_thread<thread T> {
  typedef T type;
};
template <typename T>
using declared = typename without_thread<T>::type;

template <typename T>
using type_is = T;

// The type of a template parameter: a reference where it would be a pointer to a function.
template <typename T>
struct function_reference {
  typedef T type;
};
template <typename R, typename... A>
struct function_reference<R (*)(A...)> {
  typedef R (&type)(A...);
};

template <typename A, typename B>
constexpr constant bool is_mixed_half =
    (__is_same(A, half) && __is_same(B, __bf16)) || (__is_same(A, __bf16) && __is_same(B, half));

// Converts `x` so that it can become a To: half and bfloat turn into each other by way of float only.
template <typename To, typename From>
inline __attribute__((always_inline)) constexpr auto by_way_of_float(From x) {
  if constexpr (is_mixed_half<To, From>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}
template <typename To, typename From>
inline __attribute__((always_inline)) constexpr To convert(From x) {
  return To(by_way_of_float<To>(x));
}

// The operand `x` beside one of type Other: half and bfloat meet in float.
template <typename Other, typename T>
inline __attribute__((always_inline)) constexpr decltype(auto) beside(T&& x) {
  if constexpr (is_mixed_half<typename plain<T>::type, typename plain<Other>::type>) {
    return static_cast<float>(x);
  } else {
    return static_cast<T&&>(x);
  }
}

// A temporary as an object in thread memory, where it is; other objects stay where they are.
template <typename T>
struct thread_operand_type {
  typedef const thread T& type;
};
template <typename T>
struct thread_operand_type<T&> {
  typedef T& type;
};
template <typename T>
inline __attribute__((always_inline)) typename thread_operand_type<T>::type thread_operand(T&& x) {
  if constexpr (__is_lvalue_reference(T)) {
    return x;
  } else {
    return *(const thread T*)__builtin_addressof(x);
  }
}

// The same for the object of a method, which may change it.
template <typename T>
inline __attribute__((always_inline)) decltype(auto) thread_object(T&& x) {
  if constexpr (__is_lvalue_reference(T)) {
    return static_cast<T>(x);
  } else {
    return *(thread T*)__builtin_addressof(x);
  }
}

// V(x), (V)x for a vector type V of the program's own: elements are converted, a scalar fills all.
template <typename V, typename T>
inline __attribute__((always_inline)) V wide_vector(T x) {
  typedef typename plain<decltype(V()[0])>::type element;
  if constexpr (__is_arithmetic(T) || __is_same(T, __bf16) || __is_same(T, half)) {
    return (V)convert<element>(x);
  } else {
    return __builtin_convertvector(x, V);
  }
}
template <typename V, typename T, typename... Rest>
inline __attribute__((always_inline)) V wide_vector(T x, Rest... rest) {
  typedef typename plain<decltype(V()[0])>::type element;
  return V{convert<element>(x), convert<element>(rest)...};
}
template <typename V>
struct wide_cast {
  template <typename T>
  inline __attribute__((always_inline)) V operator->*(T x) const {
    return wide_vector<V>(x);
  }
};

// The type of one arm of a conditional operator: an object of a class outside of thread memory is
// copied, everything else stays what it is.
template <typename T, bool is_object = __is_class(typename plain<T>::type)>
struct arm {
  typedef T type;
};
template <typename T>
struct arm<T, true> {
  typedef typename plain<T>::type type;
};

template <bool condition, typename T>
struct only_if {};
template <typename T>
struct only_if<true, T> {
  typedef T type;
};

// An object that converts to an integer, used as one beside a pointer.
template <typename P, typename C, typename R>
using pointer_step = typename only_if<__is_pointer(P) && __is_class(C) && __is_convertible(C, long), R>::type;

}  // namespace __assay

// p += n for such an object: the base language only looks for it where pointers have no address space.
template <typename P, typename C>
inline __attribute__((always_inline)) constexpr __assay::pointer_step<P, C, thread P&> operator+=(
    thread P& p, C step) {
  return p = p + static_cast<long>(step);
}
template <typename P, typename C>
inline __attribute__((always_inline)) constexpr __assay::pointer_step<P, C, thread P&> operator-=(
    thread P& p, C step) {
  return p = p - static_cast<long>(step);
}

}  // namespace metal
