// See axes.h.
#include "ops/axes.h"

#include <algorithm>
#include <stdexcept>

#include "fmt/format.h"

namespace assay {

int normalize_axis(int axis, size_t ndim, std::string_view op) {
  const int rank = static_cast<int>(ndim);
  if (axis < -rank || axis >= rank) {
    throw std::invalid_argument(
        fmt::format("[{}] Axis {} is out of bounds for array with {} dimensions.", op, axis, rank));
  }
  return axis < 0 ? axis + rank : axis;
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

}  // namespace assay
