// Parts of arrays: slices, updates of slices, joining and splitting.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/copy.h"
#include "ops/elementwise.h"
#include "ops/view_op.h"

namespace assay {
namespace {

// start, stop and step of each axis with everything inside the axis' length.
std::vector<int64_t> normalize_slice(const array& a, const Shape& start, const Shape& stop,
                                     const Shape& steps, std::string_view op) {
  if (start.size() != a.ndim() || stop.size() != a.ndim() || steps.size() != a.ndim()) {
    throw std::invalid_argument(fmt::format(
        "[{}] Invalid number of indices or strides for array with dimension {}.", op, a.ndim()));
  }
  std::vector<int64_t> parts;
  for (size_t i = 0; i < a.ndim(); ++i) {
    const int64_t length = a.shape()[i], step = steps[i];
    if (step == 0)
      throw std::invalid_argument(fmt::format("[{}] The step of a slice cannot be 0.", op));
    int64_t first = start[i] < 0 ? start[i] + length : start[i];
    int64_t last = stop[i] < 0 ? stop[i] + length : stop[i];
    if (step > 0) {
      first = std::clamp<int64_t>(first, 0, length);
      last = std::clamp<int64_t>(last, 0, length);
    } else {
      first = std::clamp<int64_t>(first, -1, length - 1);
      // The end that stands before the first element has no other way to be written.
      last = std::clamp<int64_t>(stop[i] <= -length - 1 ? -1 : last, -1, length - 1);
    }
    parts.insert(parts.end(), {first, last, step});
  }
  return parts;
}

class SliceUpdate final : public Primitive {
 public:
  explicit SliceUpdate(std::vector<int64_t> parts) : parts_(std::move(parts)) {}
  std::string_view name() const override { return "slice_update"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    const Shape& shape = inputs[0].shape();
    const Shape& update = inputs[1].shape();
    for (size_t i = 0; i < shape.size(); ++i) {
      const int64_t *part = &parts_[3 * i], length = slice_length(part[0], part[1], part[2]);
      // Made for one length of the axis; the same slice must fit others.
      if (part[0] > shape[i] || part[1] > shape[i] || update[i] != length) return {};
    }
    return std::vector<Shape>{shape};
  }
  bool is_same(const Primitive& other) const override {
    const auto* update = dynamic_cast<const SliceUpdate*>(&other);
    return update && update->parts_ == parts_;
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encode_take_over(inputs[0], outputs[0], inputs, encoder);
    const Strides& own = outputs[0].node().strides;
    Strides strides;
    int64_t offset = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      strides.push_back(own[i] * parts_[3 * i + 2]);
      offset += own[i] * parts_[3 * i];
    }
    if (inputs[1].size() == 0) return;
    encode_copy(inputs[1], make_alias(outputs[0], inputs[1].shape(), std::move(strides), offset),
                encoder);
  }

 private:
  const std::vector<int64_t> parts_;
};

class Concatenate final : public Primitive {
 public:
  explicit Concatenate(int axis) : axis_(static_cast<size_t>(axis)) {}
  std::string_view name() const override { return "concatenate"; }
  bool is_same(const Primitive& other) const override {
    const auto* concatenate = dynamic_cast<const Concatenate*>(&other);
    return concatenate && concatenate->axis_ == axis_;
  }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    Shape shape = inputs[0].shape();
    int64_t length = shape[axis_];
    for (const array& input : inputs.subspan(1)) {
      shape[axis_] = input.shape()[axis_];
      if (input.shape() != shape) return {};
      length += shape[axis_];
    }
    shape[axis_] = checked_length(length, name());
    return std::vector<Shape>{shape};
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encoder.allocate(outputs[0]);
    const Strides& strides = outputs[0].node().strides;
    int64_t offset = 0;
    for (const array& input : inputs) {
      encode_copy(input, make_alias(outputs[0], input.shape(), strides, offset), encoder);
      offset += strides[axis_] * input.shape()[axis_];
    }
  }

 private:
  const size_t axis_;
};

// The positions along one axis of a slice that starts where number `number` of `start` says.
array dynamic_indices(const array& start, size_t number, ShapeElem length,
                      const StreamOrDevice& s) {
  const array first =
      take(astype(reshape(start, {-1}, s), int32, s), static_cast<int>(number), 0, s);
  return add(first, arange(0, length, 1, s), s);
}

// Checks a slice of `size` that starts where the numbers of `start` say; the axes, counted from 0.
std::vector<int> check_dynamic_slice(const array& a, const array& start,
                                     const std::vector<int>& axes, const Shape& size,
                                     std::string_view op) {
  if (!issubdtype(start.dtype(), integer)) {
    throw std::invalid_argument(fmt::format(
        "[{}] The start must be an array of integers, not of {}.", op, dtype_name(start.dtype())));
  }
  if (start.size() != axes.size() || start.ndim() > 1) {
    throw std::invalid_argument(
        fmt::format("[{}] The start has the shape {}; {} axes need that many numbers in one row.",
                    op, describe_shape(start.shape()), axes.size()));
  }
  normalize_axes(axes, a.ndim(), op);
  if (size.size() != a.ndim()) {
    throw std::invalid_argument(
        fmt::format("[{}] Invalid slice size {} for array with {} dimensions.", op,
                    describe_shape(size), a.ndim()));
  }
  for (size_t i = 0; i < size.size(); ++i) {
    if (size[i] >= 0 && size[i] <= a.shape()[i]) continue;
    throw std::invalid_argument(fmt::format("[{}] Invalid slice size {} for array with shape {}.",
                                            op, describe_shape(size), describe_shape(a.shape())));
  }
  std::vector<int> normal;
  for (const int axis : axes) normal.push_back(normalize_axis(axis, a.ndim(), op));
  return normal;
}

}  // namespace

array slice(const array& a, Shape start, Shape stop, Shape strides, StreamOrDevice s) {
  std::vector<int64_t> parts = normalize_slice(a, start, stop, strides, "slice");
  bool is_whole = true;
  for (size_t i = 0; i < a.ndim(); ++i) {
    is_whole &= parts[3 * i] == 0 && parts[3 * i + 1] == a.shape()[i] && parts[3 * i + 2] == 1;
  }
  return is_whole ? a : make_view(a, ViewKind::kSlice, std::move(parts), s);
}

array slice(const array& a, const array& start, std::vector<int> axes, Shape slice_size,
            StreamOrDevice s) {
  const std::vector<int> normal = check_dynamic_slice(a, start, axes, slice_size, "slice");
  array result = a;
  for (size_t i = 0; i < normal.size(); ++i) {
    const ShapeElem length = slice_size[static_cast<size_t>(normal[i])];
    result = take(result, dynamic_indices(start, i, length, s), normal[i], s);
  }
  Shape stop = slice_size;
  return slice(result, Shape(a.ndim(), 0), std::move(stop), Shape(a.ndim(), 1), s);
}

array slice_update(const array& source, const array& update, Shape start, Shape stop, Shape strides,
                   StreamOrDevice s) {
  std::vector<int64_t> parts = normalize_slice(source, start, stop, strides, "slice_update");
  Shape shape;
  for (size_t i = 0; i < source.ndim(); ++i) {
    shape.push_back(
        static_cast<ShapeElem>(slice_length(parts[3 * i], parts[3 * i + 1], parts[3 * i + 2])));
  }
  array value = astype(update, source.dtype(), s);
  // Leading axes of one element are of no importance.
  while (value.ndim() > shape.size() && value.shape(0) == 1) value = squeeze(value, 0, s);
  value = broadcast_to(value, shape, s);
  if (value.shape() == source.shape() &&
      std::all_of(strides.begin(), strides.end(), [](ShapeElem step) { return step == 1; })) {
    return value;
  }
  return make_array(source.shape(), source.dtype(), std::make_shared<SliceUpdate>(std::move(parts)),
                    {source, std::move(value)}, s);
}

array slice_update(const array& source, const array& update, const array& start,
                   std::vector<int> axes, StreamOrDevice s) {
  const Shape& shape = update.shape();
  const std::vector<int> normal = check_dynamic_slice(source, start, axes, shape, "slice_update");
  // One scatter of whole slices: each index array holds a single number.
  const array updates = astype(update, source.dtype(), s);
  std::vector<array> indices;
  for (size_t i = 0; i < normal.size(); ++i) {
    indices.push_back(take(reshape(start, {-1}, s), static_cast<int>(i), 0, s));
  }
  return scatter(source, indices, updates, normal, s);
}

array concatenate(std::vector<array> arrays, int axis, StreamOrDevice s) {
  if (arrays.empty())
    throw std::invalid_argument("[concatenate] No arrays provided for concatenation");
  const int at = normalize_axis(axis, arrays[0].ndim(), "concatenate");
  Dtype dtype = arrays[0].dtype();
  Shape shape = arrays[0].shape();
  int64_t length = 0;
  for (const array& each : arrays) {
    Shape other = each.shape();
    if (other.size() == shape.size())
      other[static_cast<size_t>(at)] = shape[static_cast<size_t>(at)];
    if (other != shape) {
      throw std::invalid_argument(fmt::format(
          "[concatenate] All the input array dimensions must match exactly except for the "
          "concatenation axis. "
          "However, the provided shapes are {} and {}, and the concatenation axis is {}.",
          describe_shape(arrays[0].shape()), describe_shape(each.shape()), at));
    }
    length += each.shape(at);
    dtype = promote_types(dtype, each.dtype());
  }
  if (arrays.size() == 1) return arrays[0];
  shape[static_cast<size_t>(at)] = checked_length(length, "concatenate");
  for (array& each : arrays) each = astype(each, dtype, s);
  return make_array(std::move(shape), dtype, std::make_shared<Concatenate>(at), std::move(arrays),
                    s);
}

array concatenate(std::vector<array> arrays, StreamOrDevice s) {
  for (array& each : arrays) each = flatten(each, s);
  return concatenate(std::move(arrays), 0, s);
}

array stack(const std::vector<array>& arrays, int axis, StreamOrDevice s) {
  if (arrays.empty()) throw std::invalid_argument("[stack] No arrays provided for stacking");
  std::vector<array> expanded;
  const int at = normalize_axis(axis, arrays[0].ndim() + 1, "stack");
  for (const array& each : arrays) {
    if (each.shape() != arrays[0].shape()) {
      throw std::invalid_argument("[stack] All arrays must have the same shape");
    }
    expanded.push_back(expand_dims(each, at, s));
  }
  return concatenate(std::move(expanded), at, s);
}

std::vector<array> unstack(const array& a, int axis, StreamOrDevice s) {
  const int at = normalize_axis(axis, a.ndim(), "unstack");
  if (a.shape(at) == 0) return {};
  std::vector<array> parts = split(a, a.shape(at), at, s);
  for (array& part : parts) part = squeeze(part, at, s);
  return parts;
}

std::vector<array> split(const array& a, const Shape& indices, int axis, StreamOrDevice s) {
  const auto at = static_cast<size_t>(normalize_axis(axis, a.ndim(), "split"));
  std::vector<array> parts;
  Shape start(a.ndim(), 0), stop = a.shape();
  ShapeElem first = 0;
  for (size_t i = 0; i <= indices.size(); ++i) {
    ShapeElem last = i < indices.size() ? indices[i] : a.shape()[at];
    if (last < 0) last += a.shape()[at];
    last = std::clamp(last, 0, a.shape()[at]);
    start[at] = first;
    stop[at] = std::max(first, last);
    parts.push_back(slice(a, start, stop, Shape(a.ndim(), 1), s));
    first = last;
  }
  return parts;
}

std::vector<array> split(const array& a, int num_splits, int axis, StreamOrDevice s) {
  const int at = normalize_axis(axis, a.ndim(), "split");
  if (num_splits <= 0 || a.shape(at) % num_splits != 0) {
    throw std::invalid_argument(
        fmt::format("[split] Array split does not result in sub arrays with equal size: attempting "
                    "{} splits along axis {} for shape {}.",
                    num_splits, at, describe_shape(a.shape())));
  }
  Shape indices;
  for (int i = 1; i < num_splits; ++i) indices.push_back(i * (a.shape(at) / num_splits));
  return split(a, indices, at, s);
}

array repeat(const array& a, int repeats, int axis, StreamOrDevice s) {
  const int at = normalize_axis(axis, a.ndim(), "repeat");
  if (repeats < 0) throw std::invalid_argument("[repeat] Number of repeats cannot be negative");
  Shape shape = a.shape();
  shape.insert(shape.begin() + at + 1, repeats);
  checked_length(int64_t{a.shape(at)} * repeats, "repeat");
  const array wide = broadcast_to(expand_dims(a, at + 1, s), shape, s);
  return flatten(wide, at, at + 1, s);
}

array repeat(const array& a, int repeats, StreamOrDevice s) {
  return repeat(flatten(a, s), repeats, 0, s);
}

array tile(const array& a, std::vector<int> repeats, StreamOrDevice s) {
  for (const int count : repeats) {
    if (count >= 0) continue;
    throw std::invalid_argument(
        fmt::format("[tile] Cannot repeat an array {} times; use 0 or more.", count));
  }
  Shape shape = a.shape();
  if (repeats.size() < shape.size()) {
    repeats.insert(repeats.begin(), shape.size() - repeats.size(), 1);
  }
  if (shape.size() < repeats.size()) shape.insert(shape.begin(), repeats.size() - shape.size(), 1);
  Shape apart, wide, merged;
  for (size_t i = 0; i < shape.size(); ++i) {
    apart.insert(apart.end(), {1, shape[i]});
    wide.insert(wide.end(), {repeats[i], shape[i]});
    merged.push_back(checked_length(int64_t{repeats[i]} * shape[i], "tile"));
  }
  return reshape(broadcast_to(reshape(a, apart, s), wide, s), std::move(merged), s);
}

array diff(const array& a, int n, int axis, StreamOrDevice s) {
  if (n < 0) throw std::invalid_argument("[diff] Order n must be non-negative.");
  const auto at = static_cast<size_t>(normalize_axis(axis, a.ndim(), "diff"));
  array result = a;
  for (int order = 0; order < n && result.shape()[at] > 0; ++order) {
    Shape start(a.ndim(), 0), stop = result.shape();
    start[at] = 1;
    const array behind = slice(result, start, result.shape(), s);
    stop[at] -= 1;
    const array before = slice(result, Shape(a.ndim(), 0), stop, s);
    // Of two truth values, the difference is whether they differ.
    result = a.dtype() == bool_ ? not_equal(behind, before, s) : subtract(behind, before, s);
  }
  return result;
}

array flip(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  Shape start(a.ndim(), 0), stop = a.shape(), steps(a.ndim(), 1);
  for (const int axis : normalize_axes(axes, a.ndim(), "flip")) {
    const auto at = static_cast<size_t>(axis);
    start[at] = a.shape()[at] - 1;
    stop[at] = -a.shape()[at] - 1;
    steps[at] = -1;
  }
  return slice(a, std::move(start), std::move(stop), std::move(steps), s);
}

array flip(const array& a, int axis, StreamOrDevice s) {
  return flip(a, std::vector<int>{axis}, s);
}

array flip(const array& a, StreamOrDevice s) {
  std::vector<int> axes(a.ndim());
  std::iota(axes.begin(), axes.end(), 0);
  return flip(a, axes, s);
}

array roll(const array& a, const Shape& shift, const std::vector<int>& axes, StreamOrDevice s) {
  if (shift.size() < axes.size()) {
    throw std::invalid_argument(fmt::format(
        "[roll] At least one shift value per axis is required, {} provided for {} axes.",
        shift.size(), axes.size()));
  }
  array result = a;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = normalize_axis(axes[i], a.ndim(), "roll");
    const ShapeElem length = a.shape(axis);
    if (length == 0) continue;
    const ShapeElem by = ((shift[i] % length) + length) % length;
    if (by == 0) continue;
    std::vector<array> parts = split(result, Shape{length - by}, axis, s);
    result = concatenate({parts[1], parts[0]}, axis, s);
  }
  return result;
}

namespace {

// Shifts along one axis add up.
ShapeElem add_shifts(const Shape& shifts) {
  const int64_t sum = std::accumulate(shifts.begin(), shifts.end(), int64_t{0});
  if (sum >= INT32_MIN && sum <= INT32_MAX) return static_cast<ShapeElem>(sum);
  throw std::overflow_error(fmt::format("[roll] A shift by {} does not fit 32 bits.", sum));
}

}  // namespace

array roll(const array& a, int shift, StreamOrDevice s) {
  return reshape(roll(flatten(a, s), Shape{shift}, std::vector<int>{0}, s), a.shape(), s);
}
array roll(const array& a, const Shape& shift, StreamOrDevice s) {
  return roll(a, add_shifts(shift), s);
}
array roll(const array& a, int shift, int axis, StreamOrDevice s) {
  return roll(a, Shape{shift}, std::vector<int>{axis}, s);
}
array roll(const array& a, int shift, const std::vector<int>& axes, StreamOrDevice s) {
  return roll(a, Shape(axes.size(), shift), axes, s);
}
array roll(const array& a, const Shape& shift, int axis, StreamOrDevice s) {
  return roll(a, Shape{add_shifts(shift)}, std::vector<int>{axis}, s);
}

}  // namespace assay
