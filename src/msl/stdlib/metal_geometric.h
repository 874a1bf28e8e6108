// Geometric functions on floating-point vectors (dot also on integer ones).
#pragma once

#include "metal_common.h"

namespace metal {
namespace __assay {

// Left to right, each product rounded: the same bits on every device.
template <typename T>
METAL_FUNC constexpr T sum_elements(vec<T, 2> v) {
  return T(v.x + v.y);
}
template <typename T>
METAL_FUNC constexpr T sum_elements(vec<T, 3> v) {
  return T(v.x + v.y + v.z);
}
template <typename T>
METAL_FUNC constexpr T sum_elements(vec<T, 4> v) {
  return T(v.x + v.y + v.z + v.w);
}
template <typename T, typename = enable_if_t<__is_arithmetic(T)>>
METAL_FUNC constexpr T sum_elements(T x) {
  return x;
}

// Two vectors (or vector and packed vector) of one type.
template <typename A, typename B>
using vector_t = enable_if_t<is_vec<common_t<A, B>>, common_t<A, B>>;

}  // namespace __assay

template <typename A, typename B, typename V = __assay::vector_t<A, B>>
METAL_FUNC constexpr __assay::element_t<V> dot(A a, B b) {
  return __assay::sum_elements(V(a) * V(b));
}

template <typename A, typename B, typename V = __assay::vector_t<A, B>>
METAL_FUNC constexpr V cross(A left, B right) {
  static_assert(__is_same(V, __assay::vec3<__assay::element_t<V>>), "cross needs three components");
  V a(left);
  V b(right);
  return V(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#define ASSAY_GEOMETRIC_FUNCTIONS(space)                                 \
  template <typename A, typename V = __assay::float_t<A>>                 \
  METAL_FUNC constexpr __assay::element_t<V> length_squared(A a) {        \
    return __assay::sum_elements(V(a) * V(a));                            \
  }                                                                      \
  template <typename A, typename V = __assay::float_t<A>>                 \
  METAL_FUNC __assay::element_t<V> length(A a) {                          \
    return space::sqrt(__assay::sum_elements(V(a) * V(a)));               \
  }                                                                      \
  template <typename A, typename B, typename V = __assay::float_t<A, B>>  \
  METAL_FUNC constexpr __assay::element_t<V> distance_squared(A a, B b) { \
    V difference = V(a) - V(b);                                          \
    return __assay::sum_elements(difference * difference);                \
  }                                                                      \
  template <typename A, typename B, typename V = __assay::float_t<A, B>>  \
  METAL_FUNC __assay::element_t<V> distance(A a, B b) {                   \
    V difference = V(a) - V(b);                                          \
    return space::sqrt(__assay::sum_elements(difference * difference));   \
  }                                                                      \
  template <typename A, typename V = __assay::float_t<A>>                 \
  METAL_FUNC V normalize(A a) {                                          \
    return V(a) * V(space::rsqrt(__assay::sum_elements(V(a) * V(a))));    \
  }

ASSAY_GEOMETRIC_FUNCTIONS(ASSAY_DEFAULT_MATH)
namespace fast {
ASSAY_GEOMETRIC_FUNCTIONS(fast)
}
namespace precise {
ASSAY_GEOMETRIC_FUNCTIONS(precise)
}
#undef ASSAY_GEOMETRIC_FUNCTIONS

template <typename N, typename I, typename R, typename V = __assay::float_t<N, I, R>>
METAL_FUNC constexpr V faceforward(N normal, I incident, R reference) {
  return dot(V(reference), V(incident)) < 0 ? V(normal) : -V(normal);
}

template <typename I, typename N, typename V = __assay::float_t<I, N>>
METAL_FUNC constexpr V reflect(I incident, N normal) {
  return V(incident) - V(normal) * V(2 * dot(V(normal), V(incident)));
}

template <typename I, typename N, typename V = __assay::float_t<I, N>>
METAL_FUNC V refract(I incident, N normal, __assay::element_t<V> eta) {
  typedef __assay::element_t<V> T;
  T cosine = dot(V(normal), V(incident));
  T k = T(1.0f) - eta * eta * (T(1.0f) - cosine * cosine);
  if (k < T(0.0f)) return V(T(0.0f));
  return V(incident) * V(eta) - V(normal) * V(T(eta * cosine + sqrt(k)));
}

}  // namespace metal
