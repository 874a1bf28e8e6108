// From an element's place in memory to its place in an array.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sanitizer/finding.h"

namespace assay::sanitizer {

struct ArrayLayout {
  std::span<const int64_t> shape;
  std::span<const int64_t> strides;  // in elements; empty: row after row without gaps
};

// Coordinates of the element `index` elements behind the one at the origin. Nothing where no
// coordinates inside the shape lead there. Axes that repeat one element count as 0.
std::optional<std::vector<int64_t>> find_coordinates(int64_t index, const ArrayLayout& layout);

// Of the access, where the array is known and the access begins at one of its elements.
std::optional<std::vector<int64_t>> find_coordinates(const MemoryPlace& memory);

}  // namespace assay::sanitizer
