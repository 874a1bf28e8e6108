// How the elements of several arrays lie in memory, seen from one shape.
#pragma once

#include <span>
#include <vector>

#include "array/node.h"
#include "kernel/dispatch.h"

namespace assay {

// A shape with as few axes as possible (at least one) and, for each array, the strides that walk it
// in that shape's order; 0 where the array repeats.
struct MergedLayout {
  Shape shape;
  std::vector<Strides> strides;
  // The array's elements lie in the shape's own order without gaps.
  bool is_contiguous(size_t array) const;
};

// `inputs` broadcast to `shape` and have memory.
MergedLayout merge_axes(const Shape& shape, std::span<const array> inputs);

// One thread per element of `rows` rows, x along the rows.
kernel::LaunchSize row_launch(uint32_t width, uint32_t rows);

}  // namespace assay
