// matrix<T, Columns, Rows>: column vectors, m[i] is column i.
#pragma once

#include "metal_geometric.h"

namespace metal {

#define ASSAY_COLUMN_REFERENCE(space) \
  METAL_FUNC constexpr space column& operator[](long i) space& { return columns[i]; }
#define ASSAY_CONST_COLUMN_REFERENCE(space) \
  METAL_FUNC constexpr const space column& operator[](long i) const space& { return columns[i]; }

#define ASSAY_COLUMNS_IN_BRACES(space)                                                 \
  METAL_FUNC constexpr matrix(column a, column b) space : columns{a, b} {              \
    static_assert(Columns == 2, "the matrix has more than two columns");               \
  }                                                                                    \
  METAL_FUNC constexpr matrix(column a, column b, column c) space : columns{a, b, c} { \
    static_assert(Columns == 3, "the matrix has not three columns");                   \
  }                                                                                    \
  METAL_FUNC constexpr matrix(column a, column b, column c, column d) space            \
      : columns{a, b, c, d} {                                                          \
    static_assert(Columns == 4, "the matrix has less than four columns");              \
  }

template <typename T, int Columns, int Rows>
struct matrix {
  static_assert(Columns >= 2 && Columns <= 4 && Rows >= 2 && Rows <= 4,
                "matrices have 2 to 4 columns and rows");
  typedef vec<T, Rows> column;

  column columns[Columns];

 private:
  typedef make_integer_sequence<int, Rows> rows;
  template <typename... A>
  static constexpr constant bool is_constant_form =
      sizeof...(A) == Columns || sizeof...(A) == Columns * Rows ||
      (sizeof...(A) == 1 && (__is_arithmetic(A) && ...));

 public:
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
  // Columns in braces of their own need parameters that name the type.
  ASSAY_COLUMNS_IN_BRACES()

  // The same for constants, whose columns cannot be assigned to.
  ASSAY_COLUMNS_IN_BRACES(constant)
  METAL_FUNC constexpr matrix() constant : columns{} {}
  template <typename... A, enable_if_t<is_constant_form<A...> && Columns == 2, int> = 0>
  METAL_FUNC constexpr matrix(A... a) constant
      : columns{column_of<0>(rows{}, a...), column_of<1>(rows{}, a...)} {}
  template <typename... A, enable_if_t<is_constant_form<A...> && Columns == 3, int> = 0>
  METAL_FUNC constexpr matrix(A... a) constant
      : columns{column_of<0>(rows{}, a...), column_of<1>(rows{}, a...),
                column_of<2>(rows{}, a...)} {}
  template <typename... A, enable_if_t<is_constant_form<A...> && Columns == 4, int> = 0>
  METAL_FUNC constexpr matrix(A... a) constant
      : columns{column_of<0>(rows{}, a...), column_of<1>(rows{}, a...), column_of<2>(rows{}, a...),
                column_of<3>(rows{}, a...)} {}

  template <typename U>
  METAL_FUNC explicit constexpr matrix(matrix<U, Columns, Rows> other) : columns{} {
    for (int i = 0; i < Columns; ++i) columns[i] = column(other.columns[i]);
  }

  ASSAY_COLUMN_REFERENCE(thread)
  ASSAY_COLUMN_REFERENCE(device)
  ASSAY_COLUMN_REFERENCE(threadgroup)
  ASSAY_COLUMN_REFERENCE(ASSAY_ANY)
  METAL_FUNC constexpr column operator[](long i) ASSAY_ANY&& { return columns[i]; }
  ASSAY_CONST_COLUMN_REFERENCE(thread)
  ASSAY_CONST_COLUMN_REFERENCE(device)
  ASSAY_CONST_COLUMN_REFERENCE(threadgroup)
  ASSAY_CONST_COLUMN_REFERENCE(constant)
  METAL_FUNC constexpr column operator[](long i) const ASSAY_ANY& { return columns[i]; }

 private:
  template <int C, int... R, typename... A>
  METAL_FUNC static constexpr column column_of(integer_sequence<int, R...>, A... a) {
    if constexpr (sizeof...(A) == 1) {
      return column(T(C == R ? (a, ...) : T(0))...);
    } else if constexpr (sizeof...(A) == Columns) {
      column all[] = {column(a)...};
      return all[C];
    } else {
      T all[] = {T(a)...};
      return column(all[C * Rows + R]...);
    }
  }
  template <typename... A>
  METAL_FUNC constexpr void fill(A... a) ASSAY_ANY {
    if constexpr (sizeof...(A) == Columns) {
      column all[] = {column(a)...};
      for (int i = 0; i < Columns; ++i) columns[i] = all[i];
    } else {
      T all[] = {__assay::convert<T>(a)...};
      for (int i = 0; i < Columns * Rows; ++i) columns[i / Rows][i % Rows] = all[i];
    }
  }
};

#undef ASSAY_COLUMNS_IN_BRACES
#undef ASSAY_CONST_COLUMN_REFERENCE
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
