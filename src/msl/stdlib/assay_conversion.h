// Types that the compiler writes into conversions and conditional operators (see token_pass.cpp), and
// operators that its base language lacks.
#pragma once

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

// The type to convert From to before it becomes To: float between half and bfloat, else From itself.
template <typename To, typename From, typename FromValue = typename plain<From>::type>
struct bridge {
  typedef From type;
};
template <typename From>
struct bridge<__bf16, From, half> {
  typedef float type;
};
template <typename From>
struct bridge<half, From, __bf16> {
  typedef float type;
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
