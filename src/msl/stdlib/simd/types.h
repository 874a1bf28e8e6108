// The names that headers shared between Metal and the host use for vectors and matrices.
#pragma once

#include <metal_stdlib>

#define ASSAY_SIMD_VECTOR(T, n) \
  typedef ::T##n vector_##T##n; \
  typedef ::T##n simd_##T##n;
#define ASSAY_SIMD_VECTORS(T) \
  ASSAY_SIMD_VECTOR(T, 2) ASSAY_SIMD_VECTOR(T, 3) ASSAY_SIMD_VECTOR(T, 4)
ASSAY_SIMD_VECTORS(char)
ASSAY_SIMD_VECTORS(uchar)
ASSAY_SIMD_VECTORS(short)
ASSAY_SIMD_VECTORS(ushort)
ASSAY_SIMD_VECTORS(int)
ASSAY_SIMD_VECTORS(uint)
ASSAY_SIMD_VECTORS(long)
ASSAY_SIMD_VECTORS(ulong)
ASSAY_SIMD_VECTORS(half)
ASSAY_SIMD_VECTORS(float)
#undef ASSAY_SIMD_VECTORS
#undef ASSAY_SIMD_VECTOR

#define ASSAY_SIMD_MATRIX(T, columns, rows)                   \
  typedef ::T##columns##x##rows matrix_##T##columns##x##rows; \
  typedef ::T##columns##x##rows simd_##T##columns##x##rows;
#define ASSAY_SIMD_MATRICES(T)                                                     \
  ASSAY_SIMD_MATRIX(T, 2, 2) ASSAY_SIMD_MATRIX(T, 2, 3) ASSAY_SIMD_MATRIX(T, 2, 4) \
  ASSAY_SIMD_MATRIX(T, 3, 2) ASSAY_SIMD_MATRIX(T, 3, 3) ASSAY_SIMD_MATRIX(T, 3, 4) \
  ASSAY_SIMD_MATRIX(T, 4, 2) ASSAY_SIMD_MATRIX(T, 4, 3) ASSAY_SIMD_MATRIX(T, 4, 4)
ASSAY_SIMD_MATRICES(half)
ASSAY_SIMD_MATRICES(float)
#undef ASSAY_SIMD_MATRICES
#undef ASSAY_SIMD_MATRIX

#define ASSAY_SIMD_PACKED(T)                  \
  typedef ::packed_##T##2 simd_packed_##T##2; \
  typedef ::packed_##T##4 simd_packed_##T##4;
ASSAY_SIMD_PACKED(char)
ASSAY_SIMD_PACKED(uchar)
ASSAY_SIMD_PACKED(short)
ASSAY_SIMD_PACKED(ushort)
ASSAY_SIMD_PACKED(int)
ASSAY_SIMD_PACKED(uint)
ASSAY_SIMD_PACKED(half)
ASSAY_SIMD_PACKED(float)
#undef ASSAY_SIMD_PACKED

namespace simd {
using namespace metal;
}
