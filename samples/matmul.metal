// C = A * B with 8x8 matrix fragments: each simdgroup computes a 16x16 tile of C. All sizes must be
// multiples of 16.
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

struct MatmulSize {
  uint rows, columns, depth;
};

kernel void matmul(device const float* a [[buffer(0)]],
                   device const float* b [[buffer(1)]],
                   device float* c [[buffer(2)]],
                   constant MatmulSize& size [[buffer(3)]],
                   uint2 tile [[threadgroup_position_in_grid]]) {
  simdgroup_float8x8 sums[2][2];
  for (uint i = 0; i < 2; ++i) {
    for (uint j = 0; j < 2; ++j) sums[i][j] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  }
  device const float* a_rows = a + tile.y * 16 * size.depth;
  device const float* b_columns = b + tile.x * 16;
  for (uint k = 0; k < size.depth; k += 8) {
    simdgroup_float8x8 left[2], right[2];
    for (uint i = 0; i < 2; ++i) {
      simdgroup_load(left[i], a_rows + i * 8 * size.depth + k, size.depth);
      simdgroup_load(right[i], b_columns + k * size.columns + i * 8, size.columns);
    }
    for (uint i = 0; i < 2; ++i) {
      for (uint j = 0; j < 2; ++j) {
        simdgroup_multiply_accumulate(sums[i][j], left[i], right[j], sums[i][j]);
      }
    }
  }
  device float* c_tile = c + tile.y * 16 * size.columns + tile.x * 16;
  for (uint i = 0; i < 2; ++i) {
    for (uint j = 0; j < 2; ++j) {
      simdgroup_store(sums[i][j], c_tile + i * 8 * size.columns + j * 8, size.columns);
    }
  }
}
