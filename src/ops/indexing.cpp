// Elements by index arrays: gather, scatter and what is made of them.
#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/elementwise.h"
#include "ops/gather_scatter.h"

namespace assay {
namespace {

// All of one shape and one integer type.
std::vector<array> prepare_indices(const std::vector<array>& indices, std::string_view op,
                                   const StreamOrDevice& s) {
  std::vector<array> result;
  for (const array& each : indices) {
    result.push_back(as_indices(each, op, s));
  }
  Dtype dtype = result.empty() ? int32 : result[0].dtype();
  for (const array& each : result) dtype = promote_types(dtype, each.dtype());
  for (array& each : result) each = astype(each, dtype, s);
  return broadcast_arrays(result, s);
}

std::vector<int> check_axes(const array& a, const std::vector<int>& axes, size_t indices,
                            std::string_view op) {
  if (axes.size() != indices) {
    throw std::invalid_argument(
        fmt::format("[{}] Number of axes ({}) does not match the number of index arrays ({}).", op,
                    axes.size(), indices));
  }
  // As in MLX, axes do not count from the end here.
  for (const int axis : axes) {
    if (axis >= 0) continue;
    throw std::invalid_argument(fmt::format("[{}] Axis {} is negative.", op, axis));
  }
  normalize_axes(axes, a.ndim(), op);
  return axes;
}

array make_scatter(const array& a, const std::vector<array>& indices, const array& updates,
                   const std::vector<int>& axes, ScatterKind kind, std::string_view op,
                   const StreamOrDevice& s) {
  const std::vector<int> normal = check_axes(a, axes, indices.size(), op);
  std::vector<array> inputs{a, astype(updates, a.dtype(), s)};
  const std::vector<array> prepared = prepare_indices(indices, op, s);
  const size_t index_rank = prepared.empty() ? 0 : prepared[0].ndim();
  if (updates.ndim() != index_rank + a.ndim()) {
    throw std::invalid_argument(
        fmt::format("[{}] Updates with {} dimensions does not match the sum of the array ({}) and "
                    "indices ({}) dimensions.",
                    op, updates.ndim(), a.ndim(), index_rank));
  }
  for (size_t i = 0; i < index_rank; ++i) {
    if (updates.shape()[i] != prepared[0].shape()[i]) {
      throw std::invalid_argument(
          fmt::format("[{}] The update shape {} is not compatible with indices of shape {}.", op,
                      describe_shape(updates.shape()), describe_shape(prepared[0].shape())));
    }
  }
  for (size_t i = 0; i < a.ndim(); ++i) {
    if (updates.size() != 0 && updates.shape()[index_rank + i] > a.shape()[i]) {
      throw std::invalid_argument(
          fmt::format("[{}] Updates of shape {} are too large for an array of shape {}.", op,
                      describe_shape(updates.shape()), describe_shape(a.shape())));
    }
  }
  inputs.insert(inputs.end(), prepared.begin(), prepared.end());
  return make_array(a.shape(), a.dtype(), std::make_shared<Scatter>(normal, kind),
                    std::move(inputs), s);
}

Shape with_axis(Shape shape, int axis, ShapeElem length) {
  shape[static_cast<size_t>(axis)] = length;
  return shape;
}

}  // namespace

array as_indices(const array& a, std::string_view op, const StreamOrDevice& s) {
  if (!issubdtype(a.dtype(), integer) && a.dtype() != bool_) {
    throw std::invalid_argument(
        fmt::format("[{}] Got indices with invalid dtype {}. Indices must be integral.", op,
                    dtype_name(a.dtype())));
  }
  return a.dtype() == uint32 || a.dtype() == int64 ? a : astype(a, int32, s);
}

array gather(const array& a, const std::vector<array>& indices, const std::vector<int>& axes,
             const Shape& slice_sizes, StreamOrDevice s) {
  const std::vector<int> normal = check_axes(a, axes, indices.size(), "gather");
  if (slice_sizes.size() != a.ndim()) {
    throw std::invalid_argument(
        fmt::format("[gather] Got slice_sizes with size {} for array with {} dimensions.",
                    slice_sizes.size(), a.ndim()));
  }
  for (size_t i = 0; i < a.ndim(); ++i) {
    if (slice_sizes[i] < 0 || slice_sizes[i] > a.shape()[i]) {
      throw std::invalid_argument(fmt::format(
          "[gather] Slice sizes must be in [0, a.shape(i)]. Got {} for array with shape {}.",
          describe_shape(slice_sizes), describe_shape(a.shape())));
    }
  }
  std::vector<array> inputs{a};
  const std::vector<array> prepared = prepare_indices(indices, "gather", s);
  Shape shape = prepared.empty() ? Shape{} : prepared[0].shape();
  shape.insert(shape.end(), slice_sizes.begin(), slice_sizes.end());
  inputs.insert(inputs.end(), prepared.begin(), prepared.end());
  return make_array(std::move(shape), a.dtype(), std::make_shared<Gather>(normal, slice_sizes),
                    std::move(inputs), s);
}

array take(const array& a, const array& indices, int axis, StreamOrDevice s) {
  const int at = normalize_axis(axis, a.ndim(), "take");
  if (a.shape(at) == 0 && indices.size() != 0) {
    throw std::invalid_argument(
        "[take] Cannot do a non-empty take from an array with zero elements.");
  }
  Shape sizes = with_axis(a.shape(), at, indices.size() == 0 ? 0 : 1);
  const array taken = gather(a, indices, at, sizes, s);
  // The indices' axes go where the axis was.
  const int rank = static_cast<int>(indices.ndim());
  if (indices.size() == 0) {
    Shape shape(a.shape().begin(), a.shape().begin() + at);
    shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
    shape.insert(shape.end(), a.shape().begin() + at + 1, a.shape().end());
    return zeros(shape, a.dtype(), s);
  }
  std::vector<int> axes;
  for (int i = 0; i < at; ++i) axes.push_back(rank + i);
  for (int i = 0; i < rank; ++i) axes.push_back(i);
  for (int i = at; i < static_cast<int>(a.ndim()); ++i) axes.push_back(rank + i);
  // Not a reshape: traces that serve several shapes have other indices later.
  return squeeze(transpose(taken, axes, s), at + rank, s);
}

array take(const array& a, const array& indices, StreamOrDevice s) {
  return take(flatten(a, s), indices, 0, s);
}

array take(const array& a, int index, int axis, StreamOrDevice s) {
  const auto at = static_cast<size_t>(normalize_axis(axis, a.ndim(), "take"));
  const ShapeElem length = a.shape()[at];
  if (index < -length || index >= length) {
    throw std::invalid_argument(fmt::format(
        "[take] Index {} is out of bounds for axis {} with size {}.", index, at, length));
  }
  Shape start(a.ndim(), 0), stop = a.shape();
  start[at] = index < 0 ? index + length : index;
  stop[at] = start[at] + 1;
  return squeeze(slice(a, start, stop, s), static_cast<int>(at), s);
}

ArrayIterator::reference ArrayIterator::operator*() const { return take(over_, index_, 0); }

array take(const array& a, int index, StreamOrDevice s) { return take(flatten(a, s), index, 0, s); }

array scatter(const array& a, const std::vector<array>& indices, const array& updates,
              const std::vector<int>& axes, StreamOrDevice s) {
  return make_scatter(a, indices, updates, axes, ScatterKind::kSet, "scatter", s);
}
array scatter_add(const array& a, const std::vector<array>& indices, const array& updates,
                  const std::vector<int>& axes, StreamOrDevice s) {
  return make_scatter(a, indices, updates, axes, ScatterKind::kAdd, "scatter_add", s);
}
array scatter_prod(const array& a, const std::vector<array>& indices, const array& updates,
                   const std::vector<int>& axes, StreamOrDevice s) {
  return make_scatter(a, indices, updates, axes, ScatterKind::kMultiply, "scatter_prod", s);
}
array scatter_max(const array& a, const std::vector<array>& indices, const array& updates,
                  const std::vector<int>& axes, StreamOrDevice s) {
  return make_scatter(a, indices, updates, axes, ScatterKind::kMaximum, "scatter_max", s);
}
array scatter_min(const array& a, const std::vector<array>& indices, const array& updates,
                  const std::vector<int>& axes, StreamOrDevice s) {
  return make_scatter(a, indices, updates, axes, ScatterKind::kMinimum, "scatter_min", s);
}

array masked_scatter(const array& a, const array& mask, const array& source, StreamOrDevice s) {
  if (mask.dtype() != bool_) {
    throw std::invalid_argument("[masked_scatter] The mask has to be boolean.");
  }
  // A mask of the leading axes picks whole slices.
  array whole_mask = astype(mask, bool_, s);
  while (whole_mask.ndim() < a.ndim()) whole_mask = expand_dims(whole_mask, -1, s);
  const array flat_mask = flatten(broadcast_to(whole_mask, a.shape(), s), s);
  if (a.size() == 0 || source.size() == 0) return a;
  // The n-th true place takes the n-th value.
  const array order = subtract(cumsum(astype(flat_mask, int32, s), 0, false, true, s), array(1), s);
  const array bounded = clip(order, array(0), array(static_cast<int>(source.size()) - 1), s);
  const array values = take(flatten(astype(source, a.dtype(), s), s), bounded, 0, s);
  return reshape(where(flat_mask, values, flatten(a, s), s), a.shape(), s);
}

}  // namespace assay
