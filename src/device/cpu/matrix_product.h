// Dense matrix products by a BLAS library.
#pragma once

#include "device/command.h"

namespace assay::device::cpu {

// The command must have passed validate_matrix_product().
void multiply_matrices(const MatrixProductCommand& command);

}  // namespace assay::device::cpu
