// matrix<T, Columns, Rows>: column vectors, m[i] is column i.
#pragma once

#include "metal_geometric.h"

namespace metal {

#define ASSAY_COLUMN_REFERENCE(space) \
  METAL_FUNC constexpr space column& operator[](long i) space& { return columns[i]; }
#define ASSAY_COLUMN_VALUE(space) \
  METAL_FUNC constexpr column operator[](long i) const space& { return columns[i]; }

template <typename T, int Columns, int Rows>
struct matrix {
  static_assert(Columns >= 2 && Columns <= 4 && Rows >= 2 && Rows <= 4,
                "matrices have 2 to 4 columns and rows");
  typedef vec<T, Rows> column;

  column columns[Columns];

  matrix() = default;

  // A scalar fills the diagonal.
  METAL_FUNC explicit constexpr matrix(T diagonal) : columns{} {
    for (int i = 0; i < Columns; ++i) columns[i] = column(T(0));
    for (int i = 0; i < Columns && i < Rows; ++i) columns[i][i] = diagonal;
  }

  // One vector per column, or all elements in column order.
  template <typename... A, typename = enable_if_t<sizeof...(A) == Columns ||
                                                  sizeof...(A) == Columns * Rows>>
  METAL_FUNC constexpr matrix(A... a) : columns{} {
    fill(a...);
  }
  template <typename... A, typename = enable_if_t<sizeof...(A) == Columns ||
                                                  sizeof...(A) == Columns * Rows>>
  METAL_FUNC constexpr matrix(A... a) constant : columns{column(a)...} {
    static_assert(sizeof...(A) == Columns, "matrix constants are written column by column");
  }

  template <typename U>
  METAL_FUNC explicit constexpr matrix(matrix<U, Columns, Rows> other) : columns{} {
    for (int i = 0; i < Columns; ++i) columns[i] = column(other.columns[i]);
  }

  ASSAY_COLUMN_REFERENCE(thread)
  ASSAY_COLUMN_REFERENCE(device)
  ASSAY_COLUMN_REFERENCE(threadgroup)
  ASSAY_COLUMN_REFERENCE(ASSAY_ANY)
  METAL_FUNC constexpr column operator[](long i) ASSAY_ANY&& { return columns[i]; }
  ASSAY_COLUMN_VALUE(ASSAY_ANY)
  ASSAY_COLUMN_VALUE(constant)

 private:
  template <typename... A>
  METAL_FUNC constexpr void fill(A... a) ASSAY_ANY {
    if constexpr (sizeof...(A) == Columns) {
      column all[] = {column(a)...};
      for (int i = 0; i < Columns; ++i) columns[i] = all[i];
    } else {
      T all[] = {T(a)...};
      for (int i = 0; i < Columns * Rows; ++i) columns[i / Rows][i % Rows] = all[i];
    }
  }
};

#undef ASSAY_COLUMN_VALUE
#undef ASSAY_COLUMN_REFERENCE

template <typename T, int C, int R>
METAL_FUNC constexpr matrix<T, C, R> operator+(matrix<T, C, R> a, matrix<T, C, R> b) {
  for (int i = 0; i < C; ++i) a.columns[i] += b.columns[i];
  return a;
}
template <typename T, int C, int R>
METAL_FUNC constexpr matrix<T, C, R> operator-(matrix<T, C, R> a, matrix<T, C, R> b) {
  for (int i = 0; i < C; ++i) a.columns[i] -= b.columns[i];
  return a;
}
template <typename T, int C, int R>
METAL_FUNC constexpr matrix<T, C, R> operator-(matrix<T, C, R> a) {
  for (int i = 0; i < C; ++i) a.columns[i] = -a.columns[i];
  return a;
}
template <typename T, int C, int R, typename S, typename = enable_if_t<__is_arithmetic(S)>>
METAL_FUNC constexpr matrix<T, C, R> operator*(matrix<T, C, R> a, S s) {
  for (int i = 0; i < C; ++i) a.columns[i] *= vec<T, R>(T(s));
  return a;
}
template <typename T, int C, int R, typename S, typename = enable_if_t<__is_arithmetic(S)>>
METAL_FUNC constexpr matrix<T, C, R> operator*(S s, matrix<T, C, R> a) {
  return a * s;
}
template <typename T, int C, int R, typename S, typename = enable_if_t<__is_arithmetic(S)>>
METAL_FUNC constexpr matrix<T, C, R> operator/(matrix<T, C, R> a, S s) {
  for (int i = 0; i < C; ++i) a.columns[i] /= vec<T, R>(T(s));
  return a;
}

// Products add up column by column, left to right.
template <typename T, int C, int R>
METAL_FUNC constexpr vec<T, R> operator*(matrix<T, C, R> m, type_identity_t<vec<T, C>> v) {
  vec<T, R> result = m.columns[0] * vec<T, R>(v[0]);
  for (int i = 1; i < C; ++i) result += m.columns[i] * vec<T, R>(v[i]);
  return result;
}
template <typename T, int C, int R>
METAL_FUNC constexpr vec<T, C> operator*(type_identity_t<vec<T, R>> v, matrix<T, C, R> m) {
  vec<T, C> result(T(0));
  for (int i = 0; i < C; ++i) result[i] = dot(v, m.columns[i]);
  return result;
}
template <typename T, int C, int K, int R>
METAL_FUNC constexpr matrix<T, C, R> operator*(matrix<T, K, R> a, matrix<T, C, K> b) {
  matrix<T, C, R> result(T(0));
  for (int i = 0; i < C; ++i) result.columns[i] = a * b.columns[i];
  return result;
}

#define ASSAY_MATRIX_ASSIGN(op, space)                                              \
  template <typename T, int C, int R, typename B>                                   \
  METAL_FUNC space matrix<T, C, R>& operator op##=(space matrix<T, C, R>& a, B b) { \
    matrix<T, C, R> value = a;                                                      \
    a = value op b;                                                                 \
    return a;                                                                       \
  }
ASSAY_MATRIX_ASSIGN(+, thread)
ASSAY_MATRIX_ASSIGN(+, device)
ASSAY_MATRIX_ASSIGN(+, threadgroup)
ASSAY_MATRIX_ASSIGN(-, thread)
ASSAY_MATRIX_ASSIGN(-, device)
ASSAY_MATRIX_ASSIGN(-, threadgroup)
ASSAY_MATRIX_ASSIGN(*, thread)
ASSAY_MATRIX_ASSIGN(*, device)
ASSAY_MATRIX_ASSIGN(*, threadgroup)
#undef ASSAY_MATRIX_ASSIGN

template <typename T, int C, int R>
METAL_FUNC constexpr bool operator==(matrix<T, C, R> a, matrix<T, C, R> b) {
  bool equal = true;
  for (int i = 0; i < C; ++i) equal = equal && all(a.columns[i] == b.columns[i]);
  return equal;
}
template <typename T, int C, int R>
METAL_FUNC constexpr bool operator!=(matrix<T, C, R> a, matrix<T, C, R> b) {
  return !(a == b);
}

template <typename T, int C, int R>
METAL_FUNC constexpr matrix<T, R, C> transpose(matrix<T, C, R> m) {
  matrix<T, R, C> result(T(0));
  for (int i = 0; i < C; ++i) {
    for (int j = 0; j < R; ++j) result.columns[j][i] = m.columns[i][j];
  }
  return result;
}

template <typename T>
METAL_FUNC constexpr T determinant(matrix<T, 2, 2> m) {
  return m.columns[0].x * m.columns[1].y - m.columns[1].x * m.columns[0].y;
}
template <typename T>
METAL_FUNC constexpr T determinant(matrix<T, 3, 3> m) {
  return dot(m.columns[0], cross(m.columns[1], m.columns[2]));
}
template <typename T>
METAL_FUNC constexpr T determinant(matrix<T, 4, 4> m) {
  T result = T(0);
  T sign = T(1);
  for (int skipped = 0; skipped < 4; ++skipped) {
    matrix<T, 3, 3> minor(T(0));
    for (int i = 0, to = 0; i < 4; ++i) {
      if (i != skipped) minor.columns[to++] = m.columns[i].yzw;
    }
    result += sign * m.columns[skipped].x * determinant(minor);
    sign = -sign;
  }
  return result;
}

}  // namespace metal

#define ASSAY_MATRIX_NAME(T, C, R)           \
  typedef metal::matrix<T, C, R> T##C##x##R; \
  namespace metal {                          \
  using ::T##C##x##R;                        \
  }
#define ASSAY_MATRIX_NAMES(T)                                                      \
  ASSAY_MATRIX_NAME(T, 2, 2) ASSAY_MATRIX_NAME(T, 2, 3) ASSAY_MATRIX_NAME(T, 2, 4) \
  ASSAY_MATRIX_NAME(T, 3, 2) ASSAY_MATRIX_NAME(T, 3, 3) ASSAY_MATRIX_NAME(T, 3, 4) \
  ASSAY_MATRIX_NAME(T, 4, 2) ASSAY_MATRIX_NAME(T, 4, 3) ASSAY_MATRIX_NAME(T, 4, 4)
ASSAY_MATRIX_NAMES(float)
ASSAY_MATRIX_NAMES(half)
ASSAY_MATRIX_NAMES(bfloat)
#undef ASSAY_MATRIX_NAMES
#undef ASSAY_MATRIX_NAME
