// Private functions of Metal's own headers (__metal_*) that large public preludes call. Math
// functions take the mode as their last argument: 0 is precise, 1 is fast.
#pragma once

#include "metal_geometric.h"
#include "metal_simdgroup.h"

#define ASSAY_PRIVATE_1(space, name)                              \
  template <typename A>                                           \
  METAL_FUNC auto __metal_##name(A x, int mode) {                 \
    return mode ? metal::fast::name(x) : metal::precise::name(x); \
  }
#define ASSAY_PRIVATE_2(space, name)                                    \
  template <typename A>                                                 \
  METAL_FUNC auto __metal_##name(A x, A y, int mode) {                  \
    return mode ? metal::fast::name(x, y) : metal::precise::name(x, y); \
  }
#define ASSAY_PRIVATE_3(space, name)                                          \
  template <typename A>                                                       \
  METAL_FUNC auto __metal_##name(A x, A y, A z, int mode = 0) {               \
    return mode ? metal::fast::name(x, y, z) : metal::precise::name(x, y, z); \
  }
ASSAY_MATH_LIST(ASSAY_PRIVATE, )
#undef ASSAY_PRIVATE_3
#undef ASSAY_PRIVATE_2
#undef ASSAY_PRIVATE_1

template <typename A>
METAL_FUNC auto __metal_nextafter(A x, A y) {
  return metal::nextafter(x, y);
}
template <typename A>
METAL_FUNC auto __metal_ldexp(A x, int exponent, int = 0) {
  return metal::ldexp(x, exponent);
}
template <typename A>
METAL_FUNC auto __metal_frexp(A x, thread int* exponent, int = 0) {
  return metal::frexp(x, *exponent);
}

#define ASSAY_PRIVATE_LANE(name)           \
  template <typename... A>                 \
  METAL_FUNC auto __metal_##name(A... a) { \
    return metal::name(a...);              \
  }
#define ASSAY_PRIVATE_LANES(prefix)                                                          \
  ASSAY_PRIVATE_LANE(prefix##_sum) ASSAY_PRIVATE_LANE(prefix##_product)                      \
  ASSAY_PRIVATE_LANE(prefix##_min) ASSAY_PRIVATE_LANE(prefix##_max)                          \
  ASSAY_PRIVATE_LANE(prefix##_and) ASSAY_PRIVATE_LANE(prefix##_or)                           \
  ASSAY_PRIVATE_LANE(prefix##_xor) ASSAY_PRIVATE_LANE(prefix##_prefix_inclusive_sum)         \
  ASSAY_PRIVATE_LANE(prefix##_prefix_exclusive_sum)                                          \
  ASSAY_PRIVATE_LANE(prefix##_prefix_inclusive_product)                                      \
  ASSAY_PRIVATE_LANE(prefix##_prefix_exclusive_product) ASSAY_PRIVATE_LANE(prefix##_shuffle) \
  ASSAY_PRIVATE_LANE(prefix##_broadcast) ASSAY_PRIVATE_LANE(prefix##_broadcast_first)        \
  ASSAY_PRIVATE_LANE(prefix##_shuffle_up) ASSAY_PRIVATE_LANE(prefix##_shuffle_down)          \
  ASSAY_PRIVATE_LANE(prefix##_shuffle_xor) ASSAY_PRIVATE_LANE(prefix##_shuffle_rotate_up)    \
  ASSAY_PRIVATE_LANE(prefix##_shuffle_rotate_down)                                           \
  ASSAY_PRIVATE_LANE(prefix##_shuffle_and_fill_up)                                           \
  ASSAY_PRIVATE_LANE(prefix##_shuffle_and_fill_down)
ASSAY_PRIVATE_LANES(simd)
ASSAY_PRIVATE_LANES(quad)
#undef ASSAY_PRIVATE_LANES
#undef ASSAY_PRIVATE_LANE

// The argument only selects the result type.
template <typename T>
METAL_FUNC constexpr T __metal_get_simdgroup_size(T) {
  return T(metal::__assay::simd_width);
}
template <typename T>
METAL_FUNC constexpr T __metal_get_quadgroup_size(T) {
  return T(metal::__assay::quad_width);
}
template <typename T>
METAL_FUNC T __metal_get_thread_index_in_simdgroup(T) {
  return T(metal::__assay::lane());
}
template <typename T>
METAL_FUNC T __metal_get_thread_index_in_quadgroup(T) {
  return T(metal::__assay::lane() % metal::__assay::quad_width);
}
