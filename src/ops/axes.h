// Checks of axis arguments.
#pragma once

#include <string_view>
#include <vector>

#include "assay/array.h"

namespace assay {

// Counts negative axes from the end; throws std::invalid_argument with `op` in front.
int normalize_axis(int axis, size_t ndim, std::string_view op);
// All of them, sorted; throws on duplicates.
std::vector<int> normalize_axes(const std::vector<int>& axes, size_t ndim, std::string_view op);

// A computed length of an axis; throws std::overflow_error where it does not fit.
ShapeElem checked_length(int64_t length, std::string_view op);

}  // namespace assay
