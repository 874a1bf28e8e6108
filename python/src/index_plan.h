// What stands between the brackets of x[...], axis by axis.
#pragma once

#include <optional>
#include <vector>

#include "arguments.h"

namespace assay::python {

enum class IndexKind : uint8_t { kInt, kSlice, kNewAxis, kArray };

struct IndexEntry {
  IndexKind kind;
  // Of integers and slices: in range, step not zero. `stop` is one step behind the last element.
  ShapeElem start = 0, stop = 0, step = 1;
  ShapeElem count = 0;   // elements of a slice
  bool is_full = false;  // a slice of the whole axis, forwards
  std::optional<array> indices = std::nullopt;
};

// One entry for each axis of the array, with new axes between them.
class IndexPlan {
 public:
  IndexPlan(const Shape& shape, py::handle index);

  const std::vector<IndexEntry>& entries() const { return entries_; }
  bool has_arrays() const { return has_arrays_; }

  // Arguments of slice() and slice_update(): integers take one element, index arrays the whole
  // axis.
  struct Bounds {
    Shape start, stop, step;
    bool is_whole = true;
  };
  Bounds bounds() const;

  // Entry of each axis, without the new axes.
  std::vector<const IndexEntry*> axes() const;
  // Axes that one integer is given for.
  std::vector<int> int_axes() const;
  // Common shape of the index arrays.
  Shape array_shape() const;
  // Axes of the result in front of the index arrays' own. They stand where the arrays do, or first
  // if something stands between the arrays.
  int axes_before_arrays() const;
  // Positions of the new axes in the result.
  std::vector<int> new_axes() const;
  // Shape of the result with its new axes.
  Shape result_shape() const;

 private:
  void add(py::handle item, const Shape& shape, size_t& axis);
  void add_slice(py::handle item, ShapeElem extent);
  void add_int(py::handle item, ShapeElem extent, size_t axis);
  bool arrays_come_first() const;

  std::vector<IndexEntry> entries_;
  bool has_arrays_ = false;
};

}  // namespace assay::python
