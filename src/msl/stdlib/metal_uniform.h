// uniform<T>: a value that is the same in all threads of a group. Behaves as a T.
#pragma once

#include "metal_type_traits.h"

namespace metal {

template <typename T>
struct uniform {
  T value_;

  uniform() = default;
  METAL_FUNC constexpr uniform(T value) : value_(value) {}
  METAL_FUNC constexpr uniform(T value) constant : value_(value) {}
  METAL_FUNC constexpr operator T() const ASSAY_ANY { return value_; }
  METAL_FUNC constexpr operator T() const constant { return value_; }
};

template <typename T>
METAL_FUNC constexpr uniform<T> make_uniform(T value) {
  return uniform<T>(value);
}
template <typename T>
METAL_FUNC constexpr uniform<T> make_uniform(uniform<T> value) {
  return value;
}

template <typename T>
struct is_uniform : false_type {};
template <typename T>
struct is_uniform<uniform<T>> : true_type {};
template <typename T>
constexpr constant bool is_uniform_v = is_uniform<remove_cvref_t<T>>::value;

// Arithmetic between uniform values stays uniform; with anything else it is plain arithmetic.
#define ASSAY_UNIFORM_OPERATOR(op)                                              \
  template <typename T, typename U>                                             \
  METAL_FUNC constexpr auto operator op(uniform<T> a, uniform<U> b) {           \
    return make_uniform(T(a) op U(b));                                          \
  }                                                                             \
  template <typename T, typename U, typename = enable_if_t<__is_arithmetic(U)>> \
  METAL_FUNC constexpr auto operator op(uniform<T> a, U b) {                    \
    return T(a) op b;                                                           \
  }                                                                             \
  template <typename T, typename U, typename = enable_if_t<__is_arithmetic(U)>> \
  METAL_FUNC constexpr auto operator op(U a, uniform<T> b) {                    \
    return a op T(b);                                                           \
  }
ASSAY_UNIFORM_OPERATOR(+)
ASSAY_UNIFORM_OPERATOR(-)
ASSAY_UNIFORM_OPERATOR(*)
ASSAY_UNIFORM_OPERATOR(/)
ASSAY_UNIFORM_OPERATOR(%)
ASSAY_UNIFORM_OPERATOR(&)
ASSAY_UNIFORM_OPERATOR(|)
ASSAY_UNIFORM_OPERATOR(^)
ASSAY_UNIFORM_OPERATOR(<<)
ASSAY_UNIFORM_OPERATOR(>>)
ASSAY_UNIFORM_OPERATOR(==)
ASSAY_UNIFORM_OPERATOR(!=)
ASSAY_UNIFORM_OPERATOR(<)
ASSAY_UNIFORM_OPERATOR(<=)
ASSAY_UNIFORM_OPERATOR(>)
ASSAY_UNIFORM_OPERATOR(>=)
#undef ASSAY_UNIFORM_OPERATOR

}  // namespace metal
