// See layout.h.
#include "ops/layout.h"

#include <algorithm>
#include <cstdint>

namespace assay {

bool MergedLayout::is_contiguous(size_t array) const {
  int64_t expected = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (strides[array][axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

MergedLayout merge_axes(const Shape& shape, std::span<const array> inputs) {
  MergedLayout merged;
  merged.strides.resize(inputs.size());
  auto stride_of = [&](const array& input, size_t axis) -> int64_t {
    const Node& node = input.node();
    const size_t skipped = shape.size() - node.shape.size();
    if (axis < skipped || node.shape[axis - skipped] == 1) return 0;
    return node.strides[axis - skipped];
  };
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    // Merged lengths stay within ShapeElem.
    bool is_mergeable =
        !merged.shape.empty() && int64_t{merged.shape.back()} * shape[axis] <= INT32_MAX;
    for (size_t i = 0; i < inputs.size() && is_mergeable; ++i) {
      is_mergeable = merged.strides[i].back() == stride_of(inputs[i], axis) * shape[axis];
    }
    if (!is_mergeable) merged.shape.push_back(1);
    merged.shape.back() *= shape[axis];
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!is_mergeable) merged.strides[i].push_back(0);
      merged.strides[i].back() = stride_of(inputs[i], axis);
    }
  }
  if (merged.shape.empty()) {
    merged.shape.push_back(1);
    for (Strides& strides : merged.strides) strides.push_back(0);
  }
  return merged;
}

kernel::LaunchSize row_launch(uint32_t width, uint32_t rows) {
  constexpr uint32_t kThreadsPerGroup = 1024;
  const uint32_t along = std::min(width, kThreadsPerGroup);
  const uint32_t across = std::min(rows, std::max(1u, kThreadsPerGroup / along));
  return kernel::LaunchSize::threads({width, rows, 1}, {along, across, 1});
}

}  // namespace assay
