// See index_plan.h.
#include "index_plan.h"

#include <algorithm>
#include <limits>

#include "assay/ops.h"
#include "convert.h"

namespace assay::python {
namespace {

bool is_ellipsis(py::handle item) { return item.ptr() == Py_Ellipsis; }

// NumPy's integer scalars are integers too; its arrays of one element are not.
bool is_int(py::handle item) {
  PyObject* object = item.ptr();
  return PyIndex_Check(object) != 0 && !PyBool_Check(object) && !is_array(item) &&
         PySequence_Check(object) == 0;
}

// Nothing for None.
std::optional<ShapeElem> find_number(py::handle item) {
  if (item.is_none()) return std::nullopt;
  if (!is_int(item)) throw std::invalid_argument("Slice indices must be integers or None.");
  const py::int_ number = py::reinterpret_steal<py::int_>(PyNumber_Index(item.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || value != static_cast<ShapeElem>(value)) {
    throw std::invalid_argument("Slice indices must be 32-bit integers.");
  }
  return static_cast<ShapeElem>(value);
}

IndexEntry full_slice(ShapeElem extent) {
  return {.kind = IndexKind::kSlice, .stop = extent, .count = extent, .is_full = true};
}

array to_index_array(py::handle item) {
  const bool is_list = PyList_Check(item.ptr());
  if (!is_list && !is_array(item) && !is_array_like(item)) {
    throw std::invalid_argument("Cannot index mlx array using the given type.");
  }
  array indices = is_list ? from_list(item, std::nullopt) : to_array(item);
  // An empty list has no numbers to tell its type.
  if (is_list && indices.size() == 0) indices = astype(indices, int32);
  if (indices.dtype() == bool_) {
    throw std::invalid_argument(
        "boolean indices are not yet supported: the shape of the result would depend on values.\n"
        "  fix: choose with mx.where(mask, x, 0), multiply by the mask, or index with positions; "
        "assigning x[mask] = … works");
  }
  if (!issubdtype(indices.dtype(), integer)) {
    throw std::invalid_argument("Cannot index mlx array with an array of type " +
                                std::string(dtype_name(indices.dtype())) + ".");
  }
  return indices;
}

std::vector<py::handle> items_of(py::handle index) {
  if (!PyTuple_Check(index.ptr())) return {index};
  std::vector<py::handle> items;
  for (const py::handle item : py::reinterpret_borrow<py::tuple>(index)) items.push_back(item);
  return items;
}

}  // namespace

IndexPlan::IndexPlan(const Shape& shape, py::handle index) {
  const std::vector<py::handle> items = items_of(index);
  const auto used = static_cast<size_t>(std::count_if(
      items.begin(), items.end(), [](auto item) { return !item.is_none() && !is_ellipsis(item); }));
  if (std::count_if(items.begin(), items.end(), is_ellipsis) > 1) {
    throw std::invalid_argument("An index can only have a single ellipsis (...)");
  }
  if (used > shape.size()) {
    throw std::invalid_argument(shape.empty() ? "too many indices for array: array is 0-dimensional"
                                              : "Too many indices for array with " +
                                                    std::to_string(shape.size()) + " dimensions.");
  }
  size_t axis = 0;
  for (const py::handle item : items) {
    if (is_ellipsis(item)) {
      for (size_t i = used; i < shape.size(); ++i) entries_.push_back(full_slice(shape[axis++]));
    } else {
      add(item, shape, axis);
    }
  }
  while (axis < shape.size()) entries_.push_back(full_slice(shape[axis++]));
}

void IndexPlan::add(py::handle item, const Shape& shape, size_t& axis) {
  if (item.is_none()) {
    entries_.push_back({.kind = IndexKind::kNewAxis});
  } else if (PySlice_Check(item.ptr())) {
    add_slice(item, shape[axis++]);
  } else if (is_int(item)) {
    add_int(item, shape[axis], axis);
    ++axis;
  } else {
    entries_.push_back({.kind = IndexKind::kArray, .indices = to_index_array(item)});
    has_arrays_ = true;
    ++axis;
  }
}

void IndexPlan::add_slice(py::handle item, ShapeElem extent) {
  for (const char* part : {"start", "stop", "step"}) (void)find_number(item.attr(part));
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(item.ptr(), &start, &stop, &step) != 0) throw py::error_already_set();
  const Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
  entries_.push_back({.kind = IndexKind::kSlice,
                      .start = static_cast<ShapeElem>(start),
                      .stop = static_cast<ShapeElem>(stop),
                      .step = static_cast<ShapeElem>(step),
                      .count = static_cast<ShapeElem>(count),
                      .is_full = count == extent && step == 1});
}

void IndexPlan::add_int(py::handle item, ShapeElem extent, size_t axis) {
  const ShapeElem given = *find_number(item);
  const ShapeElem position = given < 0 ? given + extent : given;
  if (position < 0 || position >= extent) {
    throw std::out_of_range("Index " + std::to_string(given) + " is out of bounds for axis " +
                            std::to_string(axis) + " with " + std::to_string(extent) +
                            " elements.");
  }
  entries_.push_back(
      {.kind = IndexKind::kInt, .start = position, .stop = position + 1, .count = 1});
}

std::vector<const IndexEntry*> IndexPlan::axes() const {
  std::vector<const IndexEntry*> axes;
  for (const IndexEntry& entry : entries_) {
    if (entry.kind != IndexKind::kNewAxis) axes.push_back(&entry);
  }
  return axes;
}

IndexPlan::Bounds IndexPlan::bounds() const {
  Bounds bounds;
  for (const IndexEntry* entry : axes()) {
    if (entry->kind == IndexKind::kArray || entry->is_full) {
      bounds.start.push_back(0);
      bounds.stop.push_back(std::numeric_limits<ShapeElem>::max());
      bounds.step.push_back(1);
      continue;
    }
    bounds.is_whole = false;
    // A stop of -1 would mean the last element; behind the first one going backwards is this.
    constexpr ShapeElem kBeforeFirst = std::numeric_limits<ShapeElem>::min() / 2;
    const bool is_empty = entry->count == 0;
    bounds.start.push_back(is_empty ? 0 : entry->start);
    bounds.stop.push_back(is_empty ? 0 : entry->stop < 0 ? kBeforeFirst : entry->stop);
    bounds.step.push_back(is_empty ? 1 : entry->step);
  }
  return bounds;
}

std::vector<int> IndexPlan::int_axes() const {
  std::vector<int> result;
  const std::vector<const IndexEntry*> all = axes();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i]->kind == IndexKind::kInt) result.push_back(static_cast<int>(i));
  }
  return result;
}

Shape IndexPlan::array_shape() const {
  Shape shape;
  for (const IndexEntry& entry : entries_) {
    if (entry.indices) shape = broadcast_shapes(shape, entry.indices->shape());
  }
  return shape;
}

bool IndexPlan::arrays_come_first() const {
  // Beside arrays integers count as arrays of one element.
  const auto is_advanced = [](const IndexEntry& entry) {
    return entry.kind == IndexKind::kInt || entry.kind == IndexKind::kArray;
  };
  const auto first = std::find_if(entries_.begin(), entries_.end(), is_advanced);
  const auto behind = std::find_if_not(first, entries_.end(), is_advanced);
  return std::any_of(behind, entries_.end(), is_advanced);
}

int IndexPlan::axes_before_arrays() const {
  if (arrays_come_first()) return 0;
  int count = 0;
  for (const IndexEntry& entry : entries_) {
    if (entry.kind == IndexKind::kSlice) ++count;
    if (entry.kind == IndexKind::kInt || entry.kind == IndexKind::kArray) break;
  }
  return count;
}

std::vector<int> IndexPlan::new_axes() const {
  std::vector<int> result;
  const int arrays_rank = has_arrays_ ? static_cast<int>(array_shape().size()) : 0;
  bool is_counted = !has_arrays_ || arrays_come_first();
  int position = has_arrays_ && is_counted ? arrays_rank : 0;
  for (const IndexEntry& entry : entries_) {
    if (entry.kind == IndexKind::kNewAxis) {
      result.push_back(position++);
    } else if (entry.kind == IndexKind::kSlice) {
      ++position;
    } else if (!is_counted) {
      position += arrays_rank;
      is_counted = true;
    }
  }
  return result;
}

Shape IndexPlan::result_shape() const {
  Shape shape;
  for (const IndexEntry* entry : axes()) {
    if (entry->kind == IndexKind::kSlice) shape.push_back(entry->count);
  }
  if (has_arrays_) {
    const Shape arrays = array_shape();
    shape.insert(shape.begin() + axes_before_arrays(), arrays.begin(), arrays.end());
  }
  for (const int axis : new_axes()) shape.insert(shape.begin() + axis, 1);
  return shape;
}

}  // namespace assay::python
