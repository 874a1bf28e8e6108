// An array seen as results and the elements each of them is made of.
#pragma once

#include <vector>

#include "array/node.h"

namespace assay {

// Axes of length above 1, outermost first, merged where they walk memory without a jump.
struct AxisList {
  Shape shape;
  Strides strides;

  void add(ShapeElem length, int64_t stride);
  size_t rank() const { return shape.size(); }
  size_t count() const { return count_elements(shape); }
};

struct ReduceLayout {
  AxisList kept;   // in the order of the results
  AxisList outer;  // reduced axes but the innermost; largest strides first
  uint32_t inner = 1;
  int64_t inner_stride = 1;

  size_t reduced_count() const { return outer.count() * inner; }
};

// Of an array with memory. `axes` are sorted.
ReduceLayout reduce_layout(const Node& node, const std::vector<int>& axes);

// 0, 1, … ndim - 1.
std::vector<int> all_axes(size_t ndim);
// What remains of a shape: without the axes, or with 1 in their place.
Shape reduced_shape(const Shape& shape, const std::vector<int>& sorted_axes, bool keepdims);

}  // namespace assay
