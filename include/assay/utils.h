// Small questions about shapes and types.
#pragma once

#include <string>
#include <vector>

#include "assay/array.h"

namespace assay {

ASSAY_API Dtype result_type(const std::vector<array>& arrays);
inline Dtype result_type(const array& a, const array& b) {
  return promote_types(a.dtype(), b.dtype());
}
inline Dtype result_type(const array& a, const array& b, const array& c) {
  return promote_types(result_type(a, b), c.dtype());
}
// Counts negative axes from the end; throws std::invalid_argument for one that is not there.
ASSAY_API int normalize_axis_index(int axis, int ndim, const std::string& prefix = "");

}  // namespace assay
