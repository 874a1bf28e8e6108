// Arrays from numbers.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/copy.h"
#include "ops/element_types.h"
#include "ops/elementwise.h"

namespace assay {
namespace {

// The first input in the second one's shape, for traces that serve several shapes.
class BroadcastLike final : public Primitive {
 public:
  std::string_view name() const override { return "broadcast_like"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    return std::vector<Shape>{broadcast_shapes(inputs[0].shape(), inputs[1].shape())};
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    const Node& from = inputs[0].node();
    Strides strides(outputs[0].ndim(), 0);
    const size_t skipped = strides.size() - from.shape.size();
    for (size_t i = 0; i < from.shape.size(); ++i) {
      strides[skipped + i] = from.shape[i] == 1 ? 0 : from.strides[i];
    }
    encoder.share(outputs[0], inputs[0], std::move(strides), 0);
  }
};

// start + i * step. Integers count in 64 bits, floating types in float.
class Arange final : public Primitive {
 public:
  Arange(double start, double step) : start_(start), step_(step) {}
  std::string_view name() const override { return "arange"; }
  bool is_same(const Primitive& other) const override {
    const auto* arange = dynamic_cast<const Arange*>(&other);
    return arange && arange->start_ == start_ && arange->step_ == step_;
  }
  void encode(std::span<const array> /*inputs*/, std::span<array> outputs,
              Encoder& encoder) const override {
    array& output = outputs[0];
    encoder.allocate(output);
    if (output.size() == 0) return;
    const Dtype dtype = output.dtype();
    const bool is_float = issubdtype(dtype, inexact);
    Arguments arguments;
    arguments.output(output);
    if (dtype == float64) {
      arguments.value(start_).value(step_);
    } else if (is_float) {
      arguments.value(static_cast<float>(start_)).value(static_cast<float>(step_));
    } else {
      arguments.value(static_cast<int64_t>(start_)).value(static_cast<int64_t>(step_));
    }
    const auto count = static_cast<uint32_t>(output.size());
    encoder.dispatch({.key = fmt::format("arange {}", short_name(dtype)),
                      .source =
                          [&] {
                            const Dtype counter = dtype == float64 ? float64 : float32;
                            return write(dtype, is_float ? msl_type(counter) : "long");
                          },
                      .name = "arange"},
                     arguments,
                     kernel::LaunchSize::threads({count, 1, 1}, {std::min(count, 1024u), 1, 1}));
  }

 private:
  static std::string write(Dtype dtype, std::string_view counter) {
    return fmt::format(
        "#include <metal_stdlib>\n"
        "kernel void arange(device {0}* out [[buffer(0)]], constant {1}& start [[buffer(1)]],\n"
        "                   constant {1}& step [[buffer(2)]],\n"
        "                   uint index [[thread_position_in_grid]]) {{\n"
        "  out[index] = {0}(start + {1}(index) * step);\n}}\n",
        msl_type(dtype), counter);
  }

  const double start_, step_;
};

array make_arange(double start, double stop, double step, Dtype dtype, const StreamOrDevice& s) {
  if (dtype == bool_) throw std::invalid_argument("[arange] bool is not a dtype that counts.");
  if (std::isnan(start) || std::isnan(stop) || std::isnan(step)) {
    throw std::invalid_argument("[arange] Cannot compute length.");
  }
  if (std::isinf(start) || std::isinf(stop)) {
    throw std::invalid_argument("[arange] Cannot compute length.");
  }
  if (step == 0) throw std::invalid_argument("[arange] The step cannot be 0.");
  double length = std::max(std::ceil((stop - start) / step), 0.0);
  if (std::isinf(step)) length = (step > 0) == (start < stop) && start != stop ? 1.0 : 0.0;
  if (length > std::numeric_limits<ShapeElem>::max()) {
    throw std::invalid_argument("[arange] Maximum size exceeded.");
  }
  // An endless step is never taken.
  auto primitive = std::make_shared<Arange>(start, std::isinf(step) ? 1.0 : step);
  return make_array({static_cast<ShapeElem>(length)}, dtype, std::move(primitive), {}, s);
}

array square_mask(int n, int m, int k, bool is_equal, const StreamOrDevice& s) {
  const array rows = expand_dims(arange(0, n, 1, s), 1, s);
  const array columns = arange(-k, m - k, 1, s);
  return is_equal ? equal(rows, columns, s) : greater_equal(rows, columns, s);
}

// Which element stands at each place before, inside and behind an axis.
array padding_source(const array& places, ShapeElem length, const std::string& mode,
                     const StreamOrDevice& s) {
  if (mode == "edge" || length == 1) return clip(places, array(0), array(length - 1), s);
  // There and back: a mirror at each end, with or without the last element twice.
  const bool is_symmetric = mode == "symmetric";
  const int period = is_symmetric ? 2 * length : 2 * (length - 1);
  const array phase = remainder(places, array(period), s);
  const array back = subtract(array(is_symmetric ? period - 1 : period), phase, s);
  return minimum(phase, back, s);
}

}  // namespace

array arange(double start, double stop, double step, Dtype dtype, StreamOrDevice s) {
  return make_arange(start, stop, step, dtype, s);
}
array arange(double start, double stop, double step, StreamOrDevice s) {
  return make_arange(start, stop, step, float32, s);
}
array arange(double start, double stop, Dtype dtype, StreamOrDevice s) {
  return make_arange(start, stop, 1.0, dtype, s);
}
array arange(double start, double stop, StreamOrDevice s) {
  return make_arange(start, stop, 1.0, float32, s);
}
array arange(double stop, Dtype dtype, StreamOrDevice s) {
  return make_arange(0.0, stop, 1.0, dtype, s);
}
array arange(double stop, StreamOrDevice s) { return make_arange(0.0, stop, 1.0, float32, s); }
array arange(int start, int stop, int step, StreamOrDevice s) {
  return make_arange(start, stop, step, int32, s);
}
array arange(int start, int stop, StreamOrDevice s) {
  return make_arange(start, stop, 1, int32, s);
}
array arange(int stop, StreamOrDevice s) { return make_arange(0, stop, 1, int32, s); }

array linspace(double start, double stop, int num, bool endpoint, Dtype dtype, StreamOrDevice s) {
  if (num < 0) {
    throw std::invalid_argument(
        fmt::format("[linspace] number of samples, {}, must be non-negative.", num));
  }
  const Dtype compute = dtype == float64 ? float64 : float32;
  auto constant = [&](double value) { return array(value, compute); };
  if (num == 1) return astype(reshape(constant(start), {1}, s), dtype, s);
  const array counts = arange(0.0, static_cast<double>(num), 1.0, compute, s);
  const array t = divide(counts, constant(endpoint ? num - 1 : num), s);
  const array from = multiply(subtract(constant(1.0), t, s), constant(start), s);
  const array to = multiply(t, constant(stop), s);
  return astype(add(from, to, s), dtype, s);
}

array full(Shape shape, array values, Dtype dtype, StreamOrDevice s) {
  return copy(broadcast_to(astype(values, dtype, s), shape, s), s);
}
array full(Shape shape, array values, StreamOrDevice s) {
  const Dtype dtype = values.dtype();
  return full(std::move(shape), std::move(values), dtype, s);
}
array full_like(const array& a, array values, Dtype dtype, StreamOrDevice s) {
  if (!is_tracing_shapeless()) return full(a.shape(), std::move(values), dtype, s);
  return copy(make_array(broadcast_shapes(values.shape(), a.shape()), dtype,
                         std::make_shared<BroadcastLike>(), {astype(values, dtype, s), a}, s),
              s);
}
array full_like(const array& a, array values, StreamOrDevice s) {
  return full_like(a, std::move(values), a.dtype(), s);
}
array zeros(const Shape& shape, Dtype dtype, StreamOrDevice s) {
  return full(shape, array(0, dtype), dtype, s);
}
array zeros_like(const array& a, Dtype dtype, StreamOrDevice s) {
  return full_like(a, array(0, dtype), dtype, s);
}
array ones(const Shape& shape, Dtype dtype, StreamOrDevice s) {
  return full(shape, array(1, dtype), dtype, s);
}
array ones_like(const array& a, Dtype dtype, StreamOrDevice s) {
  return full_like(a, array(1, dtype), dtype, s);
}

array eye(int n, int m, int k, Dtype dtype, StreamOrDevice s) {
  if (n < 0 || m < 0) throw std::invalid_argument("[eye] N and M must be non-negative integers.");
  return astype(square_mask(n, m, k, true, s), dtype, s);
}
array identity(int n, Dtype dtype, StreamOrDevice s) { return eye(n, n, 0, dtype, s); }
array tri(int n, int m, int k, Dtype dtype, StreamOrDevice s) {
  return astype(square_mask(n, m, k, false, s), dtype, s);
}

array tril(array x, int k, StreamOrDevice s) {
  if (x.ndim() < 2) throw std::invalid_argument("[tril] array must be at least 2-D");
  return where(square_mask(x.shape(-2), x.shape(-1), k, false, s), x, array(0, x.dtype()), s);
}
array triu(array x, int k, StreamOrDevice s) {
  if (x.ndim() < 2) throw std::invalid_argument("[triu] array must be at least 2-D");
  return where(square_mask(x.shape(-2), x.shape(-1), k - 1, false, s), array(0, x.dtype()), x, s);
}

array diagonal(const array& a, int offset, int axis1, int axis2, StreamOrDevice s) {
  if (a.ndim() < 2) {
    throw std::invalid_argument(
        fmt::format("[diagonal] Array must have at least two dimensions, but got {}.", a.ndim()));
  }
  const auto rank = static_cast<int>(a.ndim());
  for (const int axis : {axis1, axis2}) {
    if (axis >= -rank && axis < rank) continue;
    throw std::out_of_range(fmt::format(
        "[diagonal] Axis {} is out of bounds for array with {} dimensions.", axis, rank));
  }
  const int first = normalize_axis(axis1, a.ndim(), "diagonal");
  const int second = normalize_axis(axis2, a.ndim(), "diagonal");
  if (first == second)
    throw std::invalid_argument("[diagonal] axis1 and axis2 cannot be the same axis");
  const int skip_rows = std::max(-offset, 0), skip_columns = std::max(offset, 0);
  const int length =
      std::max(std::min(a.shape(first) - skip_rows, a.shape(second) - skip_columns), 0);
  if (length == 0) {
    Shape shape;
    for (int i = 0; i < static_cast<int>(a.ndim()); ++i) {
      if (i != first && i != second) shape.push_back(a.shape(i));
    }
    shape.push_back(0);
    return zeros(shape, a.dtype(), s);
  }
  // The two axes go to the front, and one gather takes the pairs.
  const array rows = arange(skip_rows, skip_rows + length, s);
  const array columns = arange(skip_columns, skip_columns + length, s);
  Shape sizes = a.shape();
  sizes[static_cast<size_t>(first)] = sizes[static_cast<size_t>(second)] = 1;
  array result = gather(a, {rows, columns}, {first, second}, sizes, s);
  result = squeeze(result, {1 + first, 1 + second}, s);
  return moveaxis(result, 0, -1, s);
}

array diag(const array& a, int k, StreamOrDevice s) {
  if (a.ndim() == 2) return diagonal(a, k, 0, 1, s);
  if (a.ndim() != 1) {
    throw std::invalid_argument(
        fmt::format("[diag] array must be 1-D or 2-D, got array with {} dimensions.", a.ndim()));
  }
  const int size = a.shape(0) + std::abs(k);
  const int first_row = std::max(-k, 0), first_column = std::max(k, 0);
  const array rows = arange(first_row, first_row + a.shape(0), s);
  const array columns = arange(first_column, first_column + a.shape(0), s);
  return scatter(zeros({size, size}, a.dtype(), s), {rows, columns},
                 reshape(a, {a.shape(0), 1, 1}, s), {0, 1}, s);
}

std::vector<array> meshgrid(const std::vector<array>& arrays, bool sparse,
                            const std::string& indexing, StreamOrDevice s) {
  if (indexing != "xy" && indexing != "ij") {
    throw std::invalid_argument(
        "[meshgrid] Invalid indexing value. Valid values are 'xy' and 'ij'.");
  }
  const size_t rank = arrays.size();
  std::vector<array> results;
  for (size_t i = 0; i < rank; ++i) {
    Shape shape(rank, 1);
    size_t axis = i;
    if (indexing == "xy" && rank > 1 && i < 2) axis = 1 - i;
    shape[axis] = -1;
    results.push_back(arrays[i].size() == 0 ? arrays[i] : reshape(arrays[i], shape, s));
  }
  return sparse ? results : broadcast_arrays(results, s);
}

array pad(const array& a, const std::vector<int>& axes, const Shape& low, const Shape& high,
          const array& value, const std::string& mode, StreamOrDevice s) {
  if (axes.size() != low.size() || axes.size() != high.size()) {
    throw std::invalid_argument(fmt::format(
        "[pad] Invalid number of padding sizes passed to pad with axes of size {}.", axes.size()));
  }
  Shape shape = a.shape(), start(a.ndim(), 0), stop = a.shape();
  for (size_t i = 0; i < axes.size(); ++i) {
    if (low[i] < 0 || high[i] < 0) {
      throw std::invalid_argument(fmt::format(
          "[pad] Invalid padding size ({}, {}) for axis {}. Padding sizes must be non-negative.",
          low[i], high[i], axes[i]));
    }
    const auto axis = static_cast<size_t>(normalize_axis(axes[i], a.ndim(), "pad"));
    const int64_t length = int64_t{shape[axis]} + low[i] + high[i];
    if (length > std::numeric_limits<ShapeElem>::max()) {
      throw std::overflow_error(fmt::format(
          "[pad] Shape dimension {} is outside the supported range: lengths have 32 bits.",
          length));
    }
    shape[axis] = static_cast<ShapeElem>(length);
    start[axis] += low[i];
    stop[axis] += low[i];
  }
  if (mode == "constant") {
    const array base = full(shape, value, a.dtype(), s);
    return slice_update(base, a, start, stop, s);
  }
  if (mode != "edge" && mode != "reflect" && mode != "symmetric") {
    throw std::invalid_argument(fmt::format("Invalid padding mode ({}) passed to pad", mode));
  }
  array result = a;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (low[i] == 0 && high[i] == 0) continue;
    const int axis = normalize_axis(axes[i], a.ndim(), "pad");
    const ShapeElem length = a.shape(axis);
    if (length == 0) throw std::invalid_argument("[pad] An empty axis has no values to pad with.");
    const array places = arange(-low[i], length + high[i], s);
    result = take(result, padding_source(places, length, mode, s), axis, s);
  }
  return result;
}

array pad(const array& a, const std::vector<std::pair<int, int>>& width, const array& value,
          const std::string& mode, StreamOrDevice s) {
  std::vector<int> axes;
  Shape low, high;
  for (const auto& [before, after] : width) {
    axes.push_back(static_cast<int>(axes.size()));
    low.push_back(before);
    high.push_back(after);
  }
  return pad(a, axes, low, high, value, mode, s);
}
array pad(const array& a, const std::pair<int, int>& width, const array& value,
          const std::string& mode, StreamOrDevice s) {
  return pad(a, std::vector<std::pair<int, int>>(a.ndim(), width), value, mode, s);
}
array pad(const array& a, int width, const array& value, const std::string& mode,
          StreamOrDevice s) {
  return pad(a, std::pair(width, width), value, mode, s);
}

}  // namespace assay
