// simdgroup_matrix<T, 8, 8>: an 8x8 matrix spread over the 32 lanes of a SIMD group, two
// neighbouring elements of one row per lane.
#pragma once

#include "metal_simdgroup.h"

namespace metal {

template <typename T, int Columns, int Rows>
struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "simdgroup_matrix is 8x8");
  static_assert(__is_floating_point(T), "simdgroup_matrix holds float, half or bfloat");

  typedef vec<T, 2> storage_type;

  simdgroup_matrix() = default;
  // A scalar fills the diagonal.
  METAL_FUNC explicit simdgroup_matrix(T diagonal);

  METAL_FUNC thread storage_type& thread_elements() thread { return elements_; }
  METAL_FUNC const thread storage_type& thread_elements() const thread { return elements_; }

  storage_type elements_;
};

typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

namespace __assay {

void matmul(float a0, float a1, float b0, float b1, float c0, float c1, thread float* d)
    ASSAY_CROSS_LANE __asm__("assay.simd.matmul.f32");

// Row and first column of the caller's two elements.
METAL_FUNC uint fragment_row() { return ((lane() / 4) & 4) + (lane() / 2) % 4; }
METAL_FUNC uint fragment_column() { return ((lane() / 4) & 2) * 2 + (lane() % 2) * 2; }

template <typename D, typename A, typename B, typename C>
METAL_FUNC void multiply_add(thread simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a,
                             simdgroup_matrix<B, 8, 8> b, simdgroup_matrix<C, 8, 8> c) {
  float result[2];
  matmul(float(a.elements_.x), float(a.elements_.y), float(b.elements_.x), float(b.elements_.y),
         float(c.elements_.x), float(c.elements_.y), result);
  d.elements_.x = D(result[0]);
  d.elements_.y = D(result[1]);
}

// Distance in elements from the first to the second of the caller's elements, and of the first.
struct fragment_address {
  ulong first;
  ulong step;
};
METAL_FUNC fragment_address locate_fragment(ulong row_stride, ulong2 origin, bool transposed) {
  ulong row = fragment_row();
  ulong column = fragment_column();
  ulong y = origin.y + (transposed ? column : row);
  ulong x = origin.x + (transposed ? row : column);
  return {y * row_stride + x, transposed ? row_stride : 1};
}

}  // namespace __assay

template <typename T, int Columns, int Rows>
METAL_FUNC simdgroup_matrix<T, Columns, Rows>::simdgroup_matrix(T diagonal) {
  uint row = __assay::fragment_row();
  uint column = __assay::fragment_column();
  elements_.x = row == column ? diagonal : T(0.0f);
  elements_.y = row == column + 1 ? diagonal : T(0.0f);
}

template <typename T, int Columns, int Rows = Columns, typename V>
METAL_FUNC simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(V value) {
  simdgroup_matrix<T, Columns, Rows> result;
  result.elements_ = vec<T, 2>(T(value), T(value));
  return result;
}

template <typename T, int Columns, int Rows = Columns, typename V>
METAL_FUNC simdgroup_matrix<T, Columns, Rows> make_diagonal_simdgroup_matrix(V value) {
  return simdgroup_matrix<T, Columns, Rows>(T(value));
}

// With `transposed`, memory holds the transpose of the matrix.
#define ASSAY_SIMDGROUP_LOAD_STORE(space)                                                 \
  template <typename T, int Columns, int Rows, typename U>                                \
  METAL_FUNC void simdgroup_load(thread simdgroup_matrix<T, Columns, Rows>& matrix,       \
                                 const space U* source, ulong elements_per_row = Columns, \
                                 ulong2 origin = ulong2(0), bool transposed = false) {    \
    __assay::fragment_address at =                                                         \
        __assay::locate_fragment(elements_per_row, origin, transposed);                    \
    matrix.elements_.x = T(source[at.first]);                                             \
    matrix.elements_.y = T(source[at.first + at.step]);                                   \
  }                                                                                       \
  template <typename T, int Columns, int Rows, typename U>                                \
  METAL_FUNC void simdgroup_store(simdgroup_matrix<T, Columns, Rows> matrix,              \
                                  space U* destination, ulong elements_per_row = Columns, \
                                  ulong2 origin = ulong2(0), bool transposed = false) {   \
    __assay::fragment_address at =                                                         \
        __assay::locate_fragment(elements_per_row, origin, transposed);                    \
    destination[at.first] = U(matrix.elements_.x);                                        \
    destination[at.first + at.step] = U(matrix.elements_.y);                              \
  }
ASSAY_SIMDGROUP_LOAD_STORE(device)
ASSAY_SIMDGROUP_LOAD_STORE(threadgroup)
ASSAY_SIMDGROUP_LOAD_STORE(thread)
#undef ASSAY_SIMDGROUP_LOAD_STORE

template <typename T, int Columns, int Rows>
METAL_FUNC void simdgroup_load(thread simdgroup_matrix<T, Columns, Rows>& matrix,
                               const constant T* source, ulong elements_per_row = Columns,
                               ulong2 origin = ulong2(0), bool transposed = false) {
  __assay::fragment_address at = __assay::locate_fragment(elements_per_row, origin, transposed);
  matrix.elements_.x = source[at.first];
  matrix.elements_.y = source[at.first + at.step];
}

// d = a * b and d = a * b + c, accumulated in float whatever the element types.
template <typename D, typename A, typename B>
METAL_FUNC void simdgroup_multiply(thread simdgroup_matrix<D, 8, 8>& d,
                                   simdgroup_matrix<A, 8, 8> a, simdgroup_matrix<B, 8, 8> b) {
  __assay::multiply_add(d, a, b, make_filled_simdgroup_matrix<float, 8, 8>(0.0f));
}
template <typename D, typename A, typename B, typename C>
METAL_FUNC void simdgroup_multiply_accumulate(thread simdgroup_matrix<D, 8, 8>& d,
                                              simdgroup_matrix<A, 8, 8> a,
                                              simdgroup_matrix<B, 8, 8> b,
                                              simdgroup_matrix<C, 8, 8> c) {
  __assay::multiply_add(d, a, b, c);
}

template <typename T>
METAL_FUNC simdgroup_matrix<T, 8, 8> operator*(simdgroup_matrix<T, 8, 8> a,
                                               simdgroup_matrix<T, 8, 8> b) {
  simdgroup_matrix<T, 8, 8> result;
  simdgroup_multiply(result, a, b);
  return result;
}
template <typename T>
METAL_FUNC simdgroup_matrix<T, 8, 8> operator*(simdgroup_matrix<T, 8, 8> a,
                                               type_identity_t<T> b) {
  a.elements_ *= vec<T, 2>(b);
  return a;
}
template <typename T>
METAL_FUNC simdgroup_matrix<T, 8, 8> operator*(type_identity_t<T> a,
                                               simdgroup_matrix<T, 8, 8> b) {
  return b * a;
}
template <typename T>
METAL_FUNC simdgroup_matrix<T, 8, 8> operator+(simdgroup_matrix<T, 8, 8> a,
                                               simdgroup_matrix<T, 8, 8> b) {
  a.elements_ += b.elements_;
  return a;
}
template <typename T>
METAL_FUNC simdgroup_matrix<T, 8, 8> operator-(simdgroup_matrix<T, 8, 8> a,
                                               simdgroup_matrix<T, 8, 8> b) {
  a.elements_ -= b.elements_;
  return a;
}

namespace __vectors {

// What kernels with a matrix type of their own keep a matrix in: opaque but for the caller's two
// elements, which come first.
template <typename T>
struct alignas(2 * sizeof(T)) vec<T, __components[64]> {
  T elements_[2];
};

}  // namespace __vectors

}  // namespace metal

// The private function behind simdgroup_multiply_accumulate; the last argument tells the result's
// type.
template <typename A, typename B, typename C, typename D>
METAL_FUNC metal::vec<D, 64> __metal_simdgroup_matrix_8x8_multiply_accumulate(
    metal::vec<A, 64> a, metal::vec<B, 64> b, metal::vec<C, 64> c, metal::vec<D, 64>) {
  float result[2];
  metal::__assay::matmul(float(a.elements_[0]), float(a.elements_[1]), float(b.elements_[0]),
                        float(b.elements_[1]), float(c.elements_[0]), float(c.elements_[1]),
                        result);
  return {D(result[0]), D(result[1])};
}
