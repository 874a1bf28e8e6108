// A batch of dense matrix products C = A·B, as plain data. Devices leave them to a library.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::kernel {

enum class MatrixElement : uint8_t { kFloat32, kFloat64, kComplex64 };

constexpr uint64_t matrix_element_bytes(MatrixElement element) {
  return element == MatrixElement::kFloat32 ? 4 : 8;
}

// Rows without gaps between their elements or, when transposed, columns.
struct MatrixForm {
  bool is_transposed = false;
  int64_t leading = 1;  // elements from one row (or column) to the next
  bool operator==(const MatrixForm&) const = default;
};

// Elements from the bound places to the two matrices of one product; negative where matrices lie
// before their place.
struct MatrixOffsets {
  int64_t a = 0;
  int64_t b = 0;
  bool operator==(const MatrixOffsets&) const = default;
};

// A is m×k, B is k×n; the results are m×n, without gaps, and follow one another.
struct MatrixProduct {
  MatrixElement element = MatrixElement::kFloat32;
  int32_t m = 0, n = 0, k = 0;
  MatrixForm a = {}, b = {};
  std::vector<MatrixOffsets> products = {};
  bool operator==(const MatrixProduct&) const = default;
};

}  // namespace assay::kernel
