// Types that the compiler writes into conversions and conditional operators (see token_pass.cpp).
#pragma once

namespace metal {
namespace detail {

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

}  // namespace detail
}  // namespace metal
