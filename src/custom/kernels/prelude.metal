#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

typedef half float16_t;
typedef bfloat bfloat16_t;

// Largest and smallest values, with infinities where the type has them.
template <typename T>
struct Limits {
  static constexpr constant T max = metal::numeric_limits<T>::max();
  static constexpr constant T min = metal::numeric_limits<T>::min();
  static constexpr constant T finite_max = metal::numeric_limits<T>::max();
  static constexpr constant T finite_min = metal::numeric_limits<T>::min();
};
template <>
struct Limits<float> {
  static constexpr constant float max = metal::numeric_limits<float>::infinity();
  static constexpr constant float min = -metal::numeric_limits<float>::infinity();
  static constexpr constant float finite_max = metal::numeric_limits<float>::max();
  static constexpr constant float finite_min = -metal::numeric_limits<float>::max();
};
template <>
struct Limits<half> {
  static constexpr constant half max = metal::numeric_limits<half>::infinity();
  static constexpr constant half min = -metal::numeric_limits<half>::infinity();
  static constexpr constant half finite_max = metal::numeric_limits<half>::max();
  static constexpr constant half finite_min = -metal::numeric_limits<half>::max();
};

inline size_t ceildiv(size_t n, size_t m) { return (n + m - 1) / m; }

// Place of an element, counted in rows, in memory with the given strides.
template <typename IdxT = int64_t>
inline IdxT elem_to_loc(IdxT elem, constant const int* shape, constant const int64_t* strides,
                        int ndim) {
  IdxT place = 0;
  for (int axis = ndim - 1; axis >= 0 && elem > 0; --axis) {
    place += (elem % shape[axis]) * IdxT(strides[axis]);
    elem /= shape[axis];
  }
  return place;
}
template <typename IdxT = int64_t>
inline IdxT elem_to_loc(uint3 elem, constant const int* shape, constant const int64_t* strides,
                        int ndim) {
  IdxT place = IdxT(elem.x) * IdxT(strides[ndim - 1]) + IdxT(elem.y) * IdxT(strides[ndim - 2]);
  for (int axis = ndim - 3; axis >= 0; --axis) {
    place += IdxT(elem.z % shape[axis]) * IdxT(strides[axis]);
    elem.z /= shape[axis];
  }
  return place;
}
template <typename IdxT = int64_t>
inline IdxT elem_to_loc_1(uint elem, constant const int64_t& stride) {
  return IdxT(elem) * IdxT(stride);
}
template <typename IdxT = int64_t>
inline IdxT elem_to_loc_2(uint2 elem, constant const int64_t strides[2]) {
  return IdxT(elem.x) * IdxT(strides[1]) + IdxT(elem.y) * IdxT(strides[0]);
}
template <typename IdxT = int64_t>
inline IdxT elem_to_loc_3(uint3 elem, constant const int64_t strides[3]) {
  return IdxT(elem.x) * IdxT(strides[2]) + IdxT(elem.y) * IdxT(strides[1]) +
         IdxT(elem.z) * IdxT(strides[0]);
}

inline float log1p(float x) {
  float u = 1.0f + x;
  if (u == 1.0f) return x;
  if (metal::isinf(u)) return u;
  return metal::precise::log(u) * (x / (u - 1.0f));
}
