// Where the elements of a simdgroup_matrix are: Metal's distribution of an 8x8 matrix, two
// neighbouring elements of one row per lane. Everything that executes kernels has to agree on it.
#pragma once

#include <cstdint>

namespace assay::kernel {

inline constexpr uint32_t kMatrixSize = 8;

// Of the first of a lane's two elements.
constexpr uint32_t matrix_row(uint32_t lane) { return (lane / 4 & 4) + lane / 2 % 4; }
constexpr uint32_t matrix_column(uint32_t lane) { return (lane / 4 & 2) * 2 + lane % 2 * 2; }

}  // namespace assay::kernel
