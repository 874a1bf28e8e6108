// Ops that change an array's shape and leave its values.
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

// Strides of `shape` over the same elements, or nothing where no strides walk them in order.
std::optional<Strides> strides_for(const Node& node, const Shape& shape) {
  Strides result(shape.size(), 0);
  size_t axis = 0;  // of the node
  size_t i = 0;
  while (i < shape.size() || axis < node.shape.size()) {
    // A run of old axes and one of new axes with as many elements.
    int64_t old_count = 1, new_count = 1;
    const size_t first_old = axis, first_new = i;
    if (axis < node.shape.size()) old_count = node.shape[axis++];
    if (i < shape.size()) new_count = shape[i++];
    while (old_count != new_count) {
      if (old_count < new_count) {
        if (axis == node.shape.size()) return {};
        old_count *= node.shape[axis++];
      } else {
        if (i == shape.size()) return {};
        new_count *= shape[i++];
      }
    }
    int64_t stride = 1;
    bool is_first = true;
    for (size_t k = axis; k-- > first_old;) {
      if (node.shape[k] == 1) continue;
      if (is_first) {
        stride = node.strides[k];
      } else if (node.strides[k] != stride) {
        return {};
      }
      is_first = false;
      stride *= node.shape[k];
    }
    stride = 1;
    for (size_t k = axis; k-- > first_old;) {
      if (node.shape[k] != 1) {
        stride = node.strides[k];
        break;
      }
    }
    for (size_t k = i; k-- > first_new;) {
      result[k] = stride;
      stride *= shape[k];
    }
  }
  return result;
}

Shape resolve_reshape(const array& a, Shape shape);

// The shape with `lengths`, perhaps one of them -1, in place of one of its axes.
Shape split_axis(const Shape& from, int axis, Shape lengths);

class Reshape final : public Primitive {
 public:
  // Axes that become one, whatever their lengths.
  struct Merged {
    int first, last;
    bool operator==(const Merged&) const = default;
  };
  // `shape` as asked for, perhaps with one -1.
  explicit Reshape(Shape shape) : shape_(std::move(shape)) {}
  explicit Reshape(Merged merged) : merged_(merged) {}
  // One axis becomes several, whatever the lengths of the others.
  Reshape(int axis, Shape lengths) : shape_(std::move(lengths)), split_(axis) {}
  std::string_view name() const override { return "reshape"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    if (merged_) return std::vector<Shape>{merge(inputs[0].shape(), *merged_)};
    if (split_) return std::vector<Shape>{split_axis(inputs[0].shape(), *split_, shape_)};
    return std::vector<Shape>{resolve_reshape(inputs[0], shape_)};
  }
  bool is_same(const Primitive& other) const override {
    const auto* reshape = dynamic_cast<const Reshape*>(&other);
    return reshape && reshape->shape_ == shape_ && reshape->merged_ == merged_ &&
           reshape->split_ == split_;
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    array source = inputs[0];
    std::optional<Strides> strides;
    if (source.size() != 0) strides = strides_for(source.node(), outputs[0].shape());
    if (!strides) {
      source = encoder.make_row_contiguous(source);
      strides = row_contiguous_strides(outputs[0].shape());
    }
    encoder.share(outputs[0], source, std::move(*strides), 0);
  }

  static Shape merge(const Shape& from, Merged axes) {
    Shape shape(from.begin(), from.begin() + axes.first);
    int64_t length = 1;
    for (int i = axes.first; i <= axes.last; ++i) length *= from[static_cast<size_t>(i)];
    shape.push_back(checked_length(length, "flatten"));
    shape.insert(shape.end(), from.begin() + axes.last + 1, from.end());
    return shape;
  }

 private:
  const Shape shape_;
  const std::optional<Merged> merged_;
  const std::optional<int> split_;
};

class AsStrided final : public Primitive {
 public:
  AsStrided(Strides strides, int64_t offset) : strides_(std::move(strides)), offset_(offset) {}
  std::string_view name() const override { return "as_strided"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encoder.share(outputs[0], encoder.make_row_contiguous(inputs[0]), strides_, offset_);
  }

 private:
  const Strides strides_;
  const int64_t offset_;
};

class Contiguous final : public Primitive {
 public:
  explicit Contiguous(bool allows_columns) : allows_columns_(allows_columns) {}
  std::string_view name() const override { return "contiguous"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    return std::vector<Shape>{inputs[0].shape()};
  }
  bool is_same(const Primitive& other) const override {
    const auto* contiguous = dynamic_cast<const Contiguous*>(&other);
    return contiguous && contiguous->allows_columns_ == allows_columns_;
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    if (allows_columns_ && inputs[0].flags().col_contiguous) {
      return encoder.share(outputs[0], inputs[0], inputs[0].strides(), 0);
    }
    const array source = encoder.make_row_contiguous(inputs[0]);
    encoder.share(outputs[0], source, row_contiguous_strides(source.shape()), 0);
  }

 private:
  const bool allows_columns_;
};

// Memory of its own, whatever the input is.
class Copy final : public Primitive {
 public:
  std::string_view name() const override { return "copy"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    return std::vector<Shape>{inputs[0].shape()};
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encode_take_over(inputs[0], outputs[0], inputs, encoder);
  }
};

class ViewAs final : public Primitive {
 public:
  std::string_view name() const override { return "view"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    const bool is_same_size = inputs[0].itemsize() == outputs[0].itemsize();
    const array source = is_same_size ? inputs[0] : encoder.make_row_contiguous(inputs[0]);
    Strides strides =
        is_same_size ? source.node().strides : row_contiguous_strides(outputs[0].shape());
    encoder.share(outputs[0], source, std::move(strides), 0);
  }
};

Shape resolve_reshape(const array& a, Shape shape) {
  if (a.size() == 0 && shape == Shape{-1}) return {0};
  int64_t known = 1;
  bool is_huge = false;
  int unknown = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      if (unknown >= 0) throw std::invalid_argument("[reshape] Can only infer one dimension.");
      unknown = static_cast<int>(i);
    } else {
      is_huge = __builtin_mul_overflow(known, shape[i], &known) || is_huge;
    }
  }
  const auto size = static_cast<int64_t>(a.size());
  if (unknown >= 0 && known > 0 && size % known == 0) {
    shape[static_cast<size_t>(unknown)] = checked_length(size / known, "reshape");
    known = size;
  }
  if (unknown >= 0 && known == 0) {
    throw std::invalid_argument("[reshape] Cannot infer the shape of an empty array");
  }
  if (known != size || is_huge) {
    throw std::invalid_argument(fmt::format(
        "[reshape] Cannot reshape array of size {} into shape {}.", size, describe_shape(shape)));
  }
  return shape;
}

Shape split_axis(const Shape& from, int axis, Shape lengths) {
  const ShapeElem whole = from[static_cast<size_t>(axis)];
  int64_t known = 1;
  ShapeElem* unknown = nullptr;
  for (ShapeElem& length : lengths) {
    if (length == -1) {
      if (unknown) throw std::invalid_argument("[unflatten] Can only infer one dimension.");
      unknown = &length;
    } else {
      known *= length;
    }
  }
  if (unknown && known > 0) *unknown = static_cast<ShapeElem>(whole / known);
  if (unknown ? known <= 0 || known * *unknown != whole : known != whole) {
    throw std::invalid_argument(
        fmt::format("[unflatten] Cannot unflatten axis {} with size {} into shape {}.", axis, whole,
                    describe_shape(lengths)));
  }
  lengths.insert(lengths.begin(), from.begin(), from.begin() + axis);
  lengths.insert(lengths.end(), from.begin() + axis + 1, from.end());
  return lengths;
}

std::vector<int64_t> widen(const std::vector<int>& axes) { return {axes.begin(), axes.end()}; }

}  // namespace

array reshape(const array& a, Shape shape, StreamOrDevice s) {
  auto primitive = std::make_shared<Reshape>(shape);
  shape = resolve_reshape(a, std::move(shape));
  if (shape == a.shape()) return a;
  return make_array(std::move(shape), a.dtype(), std::move(primitive), {a}, s);
}

array flatten(const array& a, int start_axis, int end_axis, StreamOrDevice s) {
  if (a.ndim() == 0) return reshape(a, {1}, s);
  // Axes beyond the ends mean the ends.
  const int rank = static_cast<int>(a.ndim());
  const int start = std::max(start_axis < 0 ? start_axis + rank : start_axis, 0);
  const int end = std::min(end_axis < 0 ? end_axis + rank : end_axis, rank - 1);
  if (end < start)
    throw std::invalid_argument("[flatten] start_axis must be less than or equal to end_axis");
  if (start == end) return a;
  const Reshape::Merged merged{start, end};
  Shape shape = Reshape::merge(a.shape(), merged);
  return make_array(std::move(shape), a.dtype(), std::make_shared<Reshape>(merged), {a}, s);
}

array flatten(const array& a, StreamOrDevice s) { return flatten(a, 0, -1, s); }

array unflatten(const array& a, int axis, Shape shape, StreamOrDevice s) {
  if (shape.empty())
    throw std::invalid_argument("[unflatten] Shape to unflatten to cannot be empty.");
  const int at = normalize_axis(axis, a.ndim(), "unflatten");
  Shape result = split_axis(a.shape(), at, shape);
  if (result == a.shape()) return a;
  return make_array(std::move(result), a.dtype(), std::make_shared<Reshape>(at, std::move(shape)),
                    {a}, s);
}

array squeeze(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  const std::vector<int> normal = normalize_axes(axes, a.ndim(), "squeeze");
  for (const int axis : normal) {
    if (a.shape(axis) != 1) {
      throw std::invalid_argument(
          fmt::format("[squeeze] Cannot squeeze axis {} with size {} which is not equal to 1.",
                      axis, a.shape(axis)));
    }
  }
  return normal.empty() ? a : make_view(a, ViewKind::kSqueeze, widen(normal), s);
}

array squeeze(const array& a, StreamOrDevice s) {
  std::vector<int> axes;
  for (int i = 0; i < static_cast<int>(a.ndim()); ++i) {
    if (a.shape(i) == 1) axes.push_back(i);
  }
  return squeeze(a, axes, s);
}

array expand_dims(const array& a, const std::vector<int>& axes, StreamOrDevice s) {
  if (axes.empty()) return a;
  const std::vector<int> normal = normalize_axes(axes, a.ndim() + axes.size(), "expand_dims");
  return make_view(a, ViewKind::kExpand, widen(normal), s);
}

array transpose(const array& a, std::vector<int> axes, StreamOrDevice s) {
  if (axes.size() != a.ndim()) {
    throw std::invalid_argument(fmt::format(
        "[transpose] Received {} axes for array with {} dimensions.", axes.size(), a.ndim()));
  }
  for (int& axis : axes) axis = normalize_axis(axis, a.ndim(), "transpose");
  normalize_axes(axes, a.ndim(), "transpose");
  if (std::is_sorted(axes.begin(), axes.end())) return a;
  return make_view(a, ViewKind::kTranspose, widen(axes), s);
}

array transpose(const array& a, StreamOrDevice s) {
  std::vector<int> axes(a.ndim());
  std::iota(axes.rbegin(), axes.rend(), 0);
  return transpose(a, std::move(axes), s);
}

array swapaxes(const array& a, int axis1, int axis2, StreamOrDevice s) {
  std::vector<int> axes(a.ndim());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[static_cast<size_t>(normalize_axis(axis1, a.ndim(), "swapaxes"))],
            axes[static_cast<size_t>(normalize_axis(axis2, a.ndim(), "swapaxes"))]);
  return transpose(a, std::move(axes), s);
}

array moveaxis(const array& a, int source, int destination, StreamOrDevice s) {
  const int from = normalize_axis(source, a.ndim(), "moveaxis");
  const int to = normalize_axis(destination, a.ndim(), "moveaxis");
  std::vector<int> axes(a.ndim());
  std::iota(axes.begin(), axes.end(), 0);
  axes.erase(axes.begin() + from);
  axes.insert(axes.begin() + to, from);
  return transpose(a, std::move(axes), s);
}

array broadcast_to(const array& a, const Shape& shape, StreamOrDevice s) {
  if (a.shape() == shape) return a;
  if (a.ndim() > shape.size() || broadcast_shapes(a.shape(), shape) != shape) {
    throw std::invalid_argument(
        fmt::format("[broadcast_to] Cannot broadcast array of shape {} into shape {}.",
                    describe_shape(a.shape()), describe_shape(shape)));
  }
  return make_view(a, ViewKind::kBroadcast, {shape.begin(), shape.end()}, s);
}

std::vector<array> broadcast_arrays(const std::vector<array>& inputs, StreamOrDevice s) {
  if (inputs.empty()) return {};
  Shape shape = inputs[0].shape();
  for (const array& input : inputs) shape = broadcast_shapes(shape, input.shape());
  std::vector<array> results;
  for (const array& input : inputs) results.push_back(broadcast_to(input, shape, s));
  return results;
}

array as_strided(array a, Shape shape, Strides strides, size_t offset, StreamOrDevice s) {
  if (shape.size() != strides.size()) {
    throw std::invalid_argument("[as_strided] Shape and strides must have the same length.");
  }
  int64_t low = static_cast<int64_t>(offset), high = low;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t reach = strides[i] * std::max<int64_t>(shape[i] - 1, 0);
    (reach < 0 ? low : high) += reach;
  }
  if (count_elements(shape) != 0 && (low < 0 || high >= static_cast<int64_t>(a.size()))) {
    throw std::invalid_argument(
        fmt::format("[as_strided] Elements {} to {} are asked for, but the array has {}.", low,
                    high, a.size()));
  }
  auto primitive = std::make_shared<AsStrided>(std::move(strides), static_cast<int64_t>(offset));
  const Dtype dtype = a.dtype();
  return make_array(std::move(shape), dtype, std::move(primitive), {std::move(a)}, s);
}

array contiguous(const array& a, bool allow_col_major, StreamOrDevice s) {
  return make_array(a.shape(), a.dtype(), std::make_shared<Contiguous>(allow_col_major), {a}, s);
}

array copy(array a, StreamOrDevice s) {
  return make_array(a.shape(), a.dtype(), std::make_shared<Copy>(), {a}, s);
}

array view(const array& a, const Dtype& dtype, StreamOrDevice s) {
  if (a.dtype() == dtype) return a;
  Shape shape = a.shape();
  if (a.itemsize() != dtype.size()) {
    if (a.ndim() == 0) {
      throw std::invalid_argument(
          "[view] Changing the type of a scalar is only allowed for types with the same size.");
    }
    const size_t bytes = static_cast<size_t>(shape.back()) * a.itemsize();
    if (bytes % dtype.size() != 0) {
      throw std::invalid_argument(
          fmt::format("[view] When viewing as a larger dtype, the size of the last axis in bytes "
                      "must be a multiple of {}, but it is {}.",
                      dtype.size(), bytes));
    }
    shape.back() = static_cast<ShapeElem>(bytes / dtype.size());
  }
  return make_array(std::move(shape), dtype, std::make_shared<ViewAs>(), {a}, s);
}

array atleast_1d(const array& a, StreamOrDevice s) {
  return a.ndim() == 0 ? reshape(a, {1}, s) : a;
}

array atleast_2d(const array& a, StreamOrDevice s) {
  if (a.ndim() == 0) return reshape(a, {1, 1}, s);
  return a.ndim() == 1 ? expand_dims(a, 0, s) : a;
}

array atleast_3d(const array& a, StreamOrDevice s) {
  if (a.ndim() == 0) return reshape(a, {1, 1, 1}, s);
  if (a.ndim() == 1) return expand_dims(a, {0, 2}, s);
  return a.ndim() == 2 ? expand_dims(a, 2, s) : a;
}

std::vector<array> atleast_1d(const std::vector<array>& arrays, StreamOrDevice s) {
  std::vector<array> results;
  for (const array& each : arrays) results.push_back(atleast_1d(each, s));
  return results;
}
std::vector<array> atleast_2d(const std::vector<array>& arrays, StreamOrDevice s) {
  std::vector<array> results;
  for (const array& each : arrays) results.push_back(atleast_2d(each, s));
  return results;
}
std::vector<array> atleast_3d(const std::vector<array>& arrays, StreamOrDevice s) {
  std::vector<array> results;
  for (const array& each : arrays) results.push_back(atleast_3d(each, s));
  return results;
}

}  // namespace assay
