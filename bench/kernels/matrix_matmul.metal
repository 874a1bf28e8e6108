// C = A B, square, with simdgroup_matrix: each of the four simdgroups of a threadgroup makes a tile
// of 16x16, 2x2 matrices, of the group's 32x32.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

kernel void matrix_matmul(const device float* a [[buffer(0)]], const device float* b [[buffer(1)]],
                          device float* c [[buffer(2)]], constant uint& size [[buffer(3)]],
                          uint2 group [[threadgroup_position_in_grid]],
                          uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  uint row = group.y * 32 + simdgroup / 2 * 16;
  uint column = group.x * 32 + simdgroup % 2 * 16;
  simdgroup_float8x8 sums[2][2];
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j) sums[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint k = 0; k < size; k += 8) {
    simdgroup_float8x8 rows[2];
    simdgroup_float8x8 columns[2];
    for (uint i = 0; i < 2; ++i)
      simdgroup_load(rows[i], a + (row + i * 8) * size + k, size);
    for (uint j = 0; j < 2; ++j)
      simdgroup_load(columns[j], b + k * size + column + j * 8, size);
    for (uint i = 0; i < 2; ++i)
      for (uint j = 0; j < 2; ++j)
        simdgroup_multiply_accumulate(sums[i][j], rows[i], columns[j], sums[i][j]);
  }
  for (uint i = 0; i < 2; ++i)
    for (uint j = 0; j < 2; ++j)
      simdgroup_store(sums[i][j], c + (row + i * 8) * size + column + j * 8, size);
}
