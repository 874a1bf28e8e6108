// See axes.h.
#include "ops/axes.h"

#include <algorithm>
#include <stdexcept>

#include "assay/utils.h"
#include "fmt/format.h"

namespace assay {

Dtype result_type(const std::vector<array>& arrays) {
  Dtype result = bool_;
  for (const array& each : arrays) result = promote_types(result, each.dtype());
  return result;
}

int normalize_axis_index(int axis, int ndim, const std::string& prefix) {
  if (axis < -ndim || axis >= ndim) {
    throw std::invalid_argument(fmt::format(
        "{}Axis {} is out of bounds for array with {} dimensions.", prefix, axis, ndim));
  }
  return axis < 0 ? axis + ndim : axis;
}

int normalize_axis(int axis, size_t ndim, std::string_view op) {
  const int rank = static_cast<int>(ndim);
  if (axis >= 0 && axis < rank) return axis;
  return normalize_axis_index(axis, rank, fmt::format("[{}] ", op));
}

std::vector<int> normalize_axes(const std::vector<int>& axes, size_t ndim, std::string_view op) {
  std::vector<int> normal;
  for (const int axis : axes) normal.push_back(normalize_axis(axis, ndim, op));
  std::sort(normal.begin(), normal.end());
  if (std::adjacent_find(normal.begin(), normal.end()) != normal.end()) {
    throw std::invalid_argument(fmt::format("[{}] Received duplicate axes.", op));
  }
  return normal;
}

ShapeElem checked_length(int64_t length, std::string_view op) {
  if (length <= INT32_MAX) return static_cast<ShapeElem>(length);
  throw std::overflow_error(fmt::format(
      "[{}] Shape dimension {} is outside the supported range: lengths have 32 bits.", op, length));
}

}  // namespace assay
