// An array seen as results and the elements each of them is made of.
#pragma once

#include <span>
#include <vector>

#include "array/node.h"

namespace assay {

// Axes of length above 1, outermost first, merged where they walk memory without a jump.
struct AxisList {
  Shape shape;
  Strides strides;

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

// The same for several arrays that broadcast to one shape.
struct SharedAxes {
  Shape shape;
  std::vector<Strides> strides;  // per array; 0 where it repeats

  void add(ShapeElem length, const Strides& per_array);
  size_t rank() const { return shape.size(); }
  size_t count() const { return count_elements(shape); }
};

struct SharedLayout {
  SharedAxes kept, outer;
  uint32_t inner = 1;
  Strides inner_strides;  // per array
  size_t leader = 0;      // the array with most elements, whose order in memory counts

  size_t reduced_count() const { return outer.count() * inner; }
};

SharedLayout shared_layout(const Shape& shape, std::span<const Node* const> nodes,
                           const std::vector<int>& axes);

// 0, 1, … ndim - 1.
std::vector<int> all_axes(size_t ndim);
// What remains of a shape: without the axes, or with 1 in their place.
Shape reduced_shape(const Shape& shape, const std::vector<int>& sorted_axes, bool keepdims);

}  // namespace assay
