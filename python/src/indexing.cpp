// See indexing.h. Slices and integers are views; index arrays gather and scatter.
#include "indexing.h"

#include <algorithm>
#include <numeric>

#include "assay/ops.h"
#include "convert.h"
#include "index_plan.h"

namespace assay::python {
namespace {

std::vector<int> counting(int from, int to) {
  std::vector<int> numbers(static_cast<size_t>(to - from));
  std::iota(numbers.begin(), numbers.end(), from);
  return numbers;
}

Shape clipped(Shape stop, const Shape& shape) {
  for (size_t i = 0; i < stop.size(); ++i) stop[i] = std::min(stop[i], shape[i]);
  return stop;
}

array take_slices(const array& source, const IndexPlan& plan) {
  const IndexPlan::Bounds bounds = plan.bounds();
  if (bounds.is_whole) return source;
  return slice(source, bounds.start, clipped(bounds.stop, source.shape()), bounds.step);
}

// Moves `count` axes that begin at `from` so that they begin at `to`, to the left or in place.
array move_axes(const array& source, int from, int count, int to) {
  if (from == to || count == 0) return source;
  std::vector<int> order = counting(0, static_cast<int>(source.ndim()));
  std::rotate(order.begin() + std::min(from, to), order.begin() + (from < to ? from + count : from),
              order.begin() + (from < to ? to + count : from + count));
  return transpose(source, order);
}

// `source` has slices applied and integer axes removed; index arrays stand at `axes`. The result
// has the index arrays' axes at `before`.
array gather_arrays(const array& source, const std::vector<array>& indices,
                    const std::vector<int>& axes, int rank, int before) {
  if (indices.size() == 1) {
    return move_axes(take(source, indices[0], axes[0]), axes[0], rank, before);
  }
  Shape sizes = source.shape();
  std::vector<int> gathered;
  for (const int axis : axes) {
    sizes[static_cast<size_t>(axis)] = 1;
    gathered.push_back(axis + rank);
  }
  const array slices = gather(source, indices, axes, sizes);
  return move_axes(squeeze(slices, gathered), 0, rank, before);
}

array get_with_arrays(const array& source, const IndexPlan& plan) {
  std::vector<array> indices;
  std::vector<int> axes;
  int axis = 0;
  for (const IndexEntry* entry : plan.axes()) {
    if (entry->kind == IndexKind::kArray) {
      indices.push_back(*entry->indices);
      axes.push_back(axis);
    }
    if (entry->kind != IndexKind::kInt) ++axis;
  }
  return gather_arrays(source, indices, axes, static_cast<int>(plan.array_shape().size()),
                       plan.axes_before_arrays());
}

// What a value has too many axes of size 1 in front is dropped, as NumPy does.
array drop_leading_ones(const array& value, size_t rank) {
  int count = 0;
  while (value.ndim() - static_cast<size_t>(count) > rank &&
         value.shape()[static_cast<size_t>(count)] == 1) {
    ++count;
  }
  return count == 0 ? value : squeeze(value, counting(0, count));
}

// The value in the shape of the indexed elements, without new axes.
array fit_value(const array& value, const IndexPlan& plan, Dtype dtype) {
  const Shape shape = plan.result_shape();
  const array fitted = broadcast_to(drop_leading_ones(astype(value, dtype), shape.size()), shape);
  const std::vector<int> added = plan.new_axes();
  return added.empty() ? fitted : squeeze(fitted, added);
}

array combine(const array& old, const array& value, UpdateKind kind) {
  switch (kind) {
    case UpdateKind::kAssign: return value;
    case UpdateKind::kAdd: return add(old, value);
    case UpdateKind::kSubtract: return subtract(old, value);
    case UpdateKind::kMultiply: return multiply(old, value);
    case UpdateKind::kDivide: return divide(old, value);
    case UpdateKind::kMaximum: return maximum(old, value);
    case UpdateKind::kMinimum: return minimum(old, value);
  }
  return value;
}

array update_slices(const array& source, const array& value, const IndexPlan& plan,
                    UpdateKind kind) {
  array update = fit_value(value, plan, value.dtype());
  if (const std::vector<int> ints = plan.int_axes(); !ints.empty()) {
    update = expand_dims(update, ints);
  }
  if (kind != UpdateKind::kAssign) update = combine(take_slices(source, plan), update, kind);
  update = astype(update, source.dtype());
  const IndexPlan::Bounds bounds = plan.bounds();
  if (bounds.is_whole) return update;
  return slice_update(source, update, bounds.start, clipped(bounds.stop, source.shape()),
                      bounds.step);
}

array scatter_by(const array& source, const std::vector<array>& indices, const array& updates,
                 const std::vector<int>& axes, UpdateKind kind) {
  switch (kind) {
    case UpdateKind::kAssign: return scatter(source, indices, updates, axes);
    case UpdateKind::kAdd: return scatter_add(source, indices, updates, axes);
    case UpdateKind::kSubtract: return scatter_add(source, indices, negative(updates), axes);
    case UpdateKind::kMultiply: return scatter_prod(source, indices, updates, axes);
    case UpdateKind::kDivide:
      return scatter_prod(source, indices, astype(reciprocal(updates), source.dtype()), axes);
    case UpdateKind::kMaximum: return scatter_max(source, indices, updates, axes);
    case UpdateKind::kMinimum: return scatter_min(source, indices, updates, axes);
  }
  return source;
}

// Index arrays for scatter(). Their common axes come first, then one axis for each slice that is
// not the whole axis: such slices become index arrays themselves.
class ScatterIndices {
 public:
  ScatterIndices(const IndexPlan& plan, const Shape& shape)
      : rank_(static_cast<int>(plan.array_shape().size())), first_(plan.axes_before_arrays()) {
    const std::vector<const IndexEntry*> entries = plan.axes();
    for (const IndexEntry* entry : entries) {
      if (entry->kind == IndexKind::kSlice && !entry->is_full) ++slices_;
    }
    for (size_t i = 0; i < entries.size(); ++i) add(*entries[i], static_cast<int>(i), shape[i]);
  }

  // From the shape of the indexed elements to scatter's: index axes, then one axis for each of the
  // source.
  array arrange(const array& value) const {
    std::vector<int> order = counting(first_, first_ + rank_);
    order.insert(order.end(), part_slice_axes_.begin(), part_slice_axes_.end());
    order.insert(order.end(), full_slice_axes_.begin(), full_slice_axes_.end());
    std::vector<int> added;
    for (const int axis : axes_) added.push_back(rank_ + slices_ + axis);
    return expand_dims(transpose(value, order), added);
  }

  const std::vector<array>& indices() const { return indices_; }
  const std::vector<int>& axes() const { return axes_; }

 private:
  void add(const IndexEntry& entry, int axis, ShapeElem) {
    if (entry.kind == IndexKind::kSlice) {
      // Position among the axes of the value: those of the index arrays come at `first_`.
      const int position = value_axis_ < first_ ? value_axis_ : value_axis_ + rank_;
      ++value_axis_;
      if (entry.is_full) {
        full_slice_axes_.push_back(position);
        return;
      }
      Shape shape(static_cast<size_t>(rank_ + slices_), 1);
      shape[static_cast<size_t>(rank_) + part_slice_axes_.size()] = entry.count;
      const array numbers = arange(entry.start, entry.start + entry.count * entry.step, entry.step);
      indices_.push_back(reshape(numbers, shape));
      part_slice_axes_.push_back(position);
    } else if (entry.kind == IndexKind::kInt) {
      indices_.emplace_back(entry.start);
    } else {
      Shape shape = entry.indices->shape();
      shape.insert(shape.end(), static_cast<size_t>(slices_), 1);
      indices_.push_back(slices_ == 0 ? *entry.indices : reshape(*entry.indices, shape));
    }
    axes_.push_back(axis);
  }

  int rank_;
  int first_;
  int slices_ = 0;
  int value_axis_ = 0;
  std::vector<array> indices_;
  std::vector<int> axes_;
  std::vector<int> part_slice_axes_;
  std::vector<int> full_slice_axes_;
};

array update_arrays(const array& source, const array& value, const IndexPlan& plan,
                    UpdateKind kind) {
  const ScatterIndices scattered(plan, source.shape());
  const array updates = scattered.arrange(fit_value(value, plan, source.dtype()));
  return scatter_by(source, scattered.indices(), updates, scattered.axes(), kind);
}

// A mask chooses elements by itself instead of naming them.
std::optional<array> find_mask(py::handle index) {
  PyObject* object = index.ptr();
  if (PyBool_Check(object)) return array(object == Py_True);
  if (PyTuple_Check(object) || PySlice_Check(object) || index.is_none() || object == Py_Ellipsis) {
    return std::nullopt;
  }
  std::optional<array> mask;
  if (is_array(index)) {
    mask = index.cast<const array&>();
  } else if (PyList_Check(object)) {
    mask = from_list(index, std::nullopt);
  } else if (PyObject_CheckBuffer(object) != 0) {
    mask = from_buffer(index, std::nullopt);
  }
  return mask && mask->dtype() == bool_ ? mask : std::nullopt;
}

// A mask of fewer axes chooses whole parts; a scalar one everything or nothing.
array fit_mask(const array& mask, const Shape& shape) {
  const Shape& given = mask.shape();
  if (given.size() > shape.size() || !std::equal(given.begin(), given.end(), shape.begin())) {
    throw std::invalid_argument("A boolean mask must have the shape of the first axes it selects.");
  }
  if (given.size() == shape.size()) return mask;
  return expand_dims(mask,
                     counting(static_cast<int>(given.size()), static_cast<int>(shape.size())));
}

}  // namespace

array get_item(const array& source, py::handle index) {
  if (PyBool_Check(index.ptr())) {
    throw std::invalid_argument("Cannot index mlx array using the given type.");
  }
  const IndexPlan plan(source.shape(), index);
  array result = take_slices(source, plan);
  if (const std::vector<int> ints = plan.int_axes(); !ints.empty()) result = squeeze(result, ints);
  if (plan.has_arrays()) result = get_with_arrays(result, plan);
  if (const std::vector<int> added = plan.new_axes(); !added.empty()) {
    result = expand_dims(result, added);
  }
  return result;
}

array update_item(const array& source, py::handle index, py::handle value, UpdateKind kind) {
  const array given = to_array(value, source.dtype());
  const IndexPlan plan(source.shape(), index);
  return plan.has_arrays() ? update_arrays(source, given, plan, kind)
                           : update_slices(source, given, plan, kind);
}

void set_item(array& source, py::handle index, py::handle value) {
  if (const std::optional<array> mask = find_mask(index)) {
    const array values = astype(to_array(value, source.dtype()), source.dtype());
    source.overwrite_descriptor(masked_scatter(source, fit_mask(*mask, source.shape()), values));
    return;
  }
  source.overwrite_descriptor(update_item(source, index, value, UpdateKind::kAssign));
}

}  // namespace assay::python
