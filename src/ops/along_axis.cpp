// Elements by their positions along one axis, each with positions of its own.
#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/copy.h"
#include "ops/element_types.h"
#include "ops/elementwise.h"
#include "ops/gather_scatter.h"

namespace assay {
namespace {

constexpr uint32_t kThreadsPerGroup = 256;

// The array as (before, axis, behind).
Shape around_axis(const Shape& shape, size_t axis) {
  Shape result(3, 1);
  for (size_t i = 0; i < shape.size(); ++i) result[i < axis ? 0 : i == axis ? 1 : 2] *= shape[i];
  return result;
}

Shape with_axis(Shape shape, size_t axis, ShapeElem length) {
  shape[axis] = length;
  return shape;
}

// The array in a shape that it can be broadcast to, while an operation is encoded: the shape may be
// another one for each call of a compiled function.
array spread(const array& a, const Shape& shape) {
  if (a.shape() == shape) return a;
  Strides strides(shape.size() - a.ndim(), 0);
  for (size_t i = 0; i < a.ndim(); ++i) {
    strides.push_back(a.shape()[i] == 1 ? 0 : a.node().strides[i]);
  }
  return make_alias(a, shape, std::move(strides), 0);
}

// As the kernel sees it.
struct Layout {
  uint32_t length;  // of the axis in the whole array
  uint32_t count;   // of the axis in the indices
  uint32_t behind;  // elements behind the axis
};

// One kernel text for both ways: `action` moves element `number` of the selection from or to
// `place` of the whole array.
std::string write_kernel(std::string_view name, std::string_view type, std::string_view index_type,
                         bool has_rows, std::string_view action) {
  return fmt::format(
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "struct Layout {{\n  uint length, count, behind;\n}};\n"
      "kernel void {}(device {}* target [[buffer(0)]], device const {}* source [[buffer(1)]],\n"
      "    device const {}* indices [[buffer(2)]], constant Layout& layout [[buffer(3)]],\n"
      "    uint3 position [[thread_position_in_grid]]) {{\n"
      "  uint behind = {}, along = {}, before = {};\n"
      "  ulong number = (ulong(before) * layout.count + along) * layout.behind + behind;\n"
      "  long index = long(indices[number]);\n"
      "  if (index < 0) index += layout.length;\n"
      "  index = clamp(index, 0l, long(layout.length) - 1);\n"
      "  ulong place = (ulong(before) * layout.length + ulong(index)) * layout.behind + behind;\n"
      "  {}\n}}\n",
      name, type, type, index_type, has_rows ? "position.x" : "0",
      has_rows ? "position.y" : "position.x", has_rows ? "position.z" : "position.y", action);
}

// Takes elements, or puts them: what both primitives have in common.
class AlongAxis : public Primitive {
 public:
  explicit AlongAxis(size_t axis) : axis_(axis) {}
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const AlongAxis*>(&other);
    return same && same->name() == name() && same->axis_ == axis_;
  }

 protected:
  // The shape of what the indices select from the whole array, or nothing where they do not fit.
  std::optional<Shape> select(const array& whole, const array& indices) const {
    Shape shape = broadcast_shapes(with_axis(whole.shape(), axis_, 1), indices.shape());
    const bool is_row_by_row = with_axis(whole.shape(), axis_, shape[axis_]) == shape;
    if (!is_row_by_row || whole.shape()[axis_] == 0) return {};
    return shape;
  }
  void launch(const array& target, const array& source, const array& indices, const Shape& whole,
              std::string_view action, Encoder& encoder) const {
    const Shape selected = around_axis(indices.shape(), axis_);
    const bool has_rows = selected[2] > 1;
    const auto before = static_cast<uint32_t>(selected[0]),
               along = static_cast<uint32_t>(selected[1]),
               behind = static_cast<uint32_t>(selected[2]);
    const Layout layout{static_cast<uint32_t>(whole[axis_]), along, behind};
    Arguments arguments;
    arguments.output(target).input(source).input(indices).value(layout);
    const uint32_t width = has_rows ? behind : along, height = has_rows ? along : before;
    const uint32_t in_row = std::min(width, kThreadsPerGroup);
    const uint32_t rows = std::min(height, std::max(1u, kThreadsPerGroup / in_row));
    const std::string_view type = bits_type(target.dtype());
    const std::string_view index_type = msl_type(indices.dtype());
    const std::string key =
        fmt::format("{} {} {} {}", name(), type, index_type, has_rows ? "rows" : "flat");
    encoder.dispatch(
        {.key = key,
         .source = [&] { return write_kernel(name(), type, index_type, has_rows, action); },
         .name = name()},
        arguments,
        kernel::LaunchSize::threads({width, height, has_rows ? before : 1}, {in_row, rows, 1}));
  }

  const size_t axis_;
};

// Inputs: the array, the indices.
class TakeAlongAxis final : public AlongAxis {
 public:
  using AlongAxis::AlongAxis;
  std::string_view name() const override { return "take_along_axis"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    std::optional<Shape> shape = select(inputs[0], inputs[1]);
    if (!shape) return {};
    return std::vector<Shape>{std::move(*shape)};
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    encoder.allocate(outputs[0]);
    if (outputs[0].size() == 0) return;
    launch(outputs[0], encoder.make_row_contiguous(inputs[0]),
           encoder.make_row_contiguous(spread(inputs[1], outputs[0].shape())), inputs[0].shape(),
           "target[number] = source[place];", encoder);
  }
};

// Inputs: the array, the indices, as many values.
class PutAlongAxis final : public AlongAxis {
 public:
  using AlongAxis::AlongAxis;
  std::string_view name() const override { return "put_along_axis"; }
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    const std::optional<Shape> shape = select(inputs[0], inputs[1]);
    if (!shape || broadcast_shapes(*shape, inputs[2].shape()) != *shape) return {};
    return std::vector<Shape>{inputs[0].shape()};
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override {
    const Shape shape = *select(inputs[0], inputs[1]);
    const array indices = encoder.make_row_contiguous(spread(inputs[1], shape));
    const array values = encoder.make_row_contiguous(spread(inputs[2], shape));
    encode_take_over(inputs[0], outputs[0], inputs, encoder);
    if (count_elements(shape) == 0) return;
    launch(outputs[0], values, indices, outputs[0].shape(), "target[place] = source[number];",
           encoder);
  }
};

// Where in the array: the axis, and the indices' shape beside an array that is as long elsewhere.
struct Selection {
  size_t axis;
  Shape shape;
};

Selection select(const array& a, const array& indices, int axis, std::string_view op) {
  const auto at = static_cast<size_t>(normalize_axis(axis, a.ndim(), op));
  if (indices.ndim() != a.ndim()) {
    throw std::invalid_argument(
        fmt::format("[{}] Indices of dimension {} does not match array of dimension {}.", op,
                    indices.ndim(), a.ndim()));
  }
  Shape shape = broadcast_shapes(with_axis(a.shape(), at, 1), indices.shape());
  if (a.shape()[at] == 0 && count_elements(shape) != 0) {
    throw std::invalid_argument(fmt::format("[{}] There are no elements along axis {} of shape {}.",
                                            op, at, describe_shape(a.shape())));
  }
  return {at, std::move(shape)};
}

}  // namespace

array take_along_axis(const array& a, const array& indices, int axis, StreamOrDevice s) {
  const Selection chosen = select(a, indices, axis, "take_along_axis");
  if (count_elements(chosen.shape) == 0) return zeros(chosen.shape, a.dtype(), s);
  const array places = as_indices(indices, "take_along_axis", s);
  const array whole =
      broadcast_to(a, with_axis(chosen.shape, chosen.axis, a.shape()[chosen.axis]), s);
  return make_array(chosen.shape, a.dtype(), std::make_shared<TakeAlongAxis>(chosen.axis),
                    {whole, places}, s);
}

array put_along_axis(const array& a, const array& indices, const array& values, int axis,
                     StreamOrDevice s) {
  const Selection chosen = select(a, indices, axis, "put_along_axis");
  if (count_elements(chosen.shape) == 0) return a;
  if (with_axis(a.shape(), chosen.axis, chosen.shape[chosen.axis]) != chosen.shape) {
    throw std::invalid_argument(
        fmt::format("[put_along_axis] Indices of shape {} do not fit an array of shape {}.",
                    describe_shape(indices.shape()), describe_shape(a.shape())));
  }
  const array places = as_indices(indices, "put_along_axis", s);
  if (broadcast_shapes(chosen.shape, values.shape()) != chosen.shape) {
    throw std::invalid_argument(
        fmt::format("[put_along_axis] Values of shape {} do not fit indices of shape {}.",
                    describe_shape(values.shape()), describe_shape(chosen.shape)));
  }
  return make_array(a.shape(), a.dtype(), std::make_shared<PutAlongAxis>(chosen.axis),
                    {a, places, astype(values, a.dtype(), s)}, s);
}

array scatter_add_axis(const array& a, const array& indices, const array& values, int axis,
                       StreamOrDevice s) {
  const Selection chosen = select(a, indices, axis, "scatter_add_axis");
  if (count_elements(chosen.shape) == 0) return a;
  const array where_to = broadcast_to(indices, chosen.shape, s);
  const array update = broadcast_to(astype(values, a.dtype(), s), chosen.shape, s);
  const Shape a3 = around_axis(a.shape(), chosen.axis);
  const Shape i3 = around_axis(chosen.shape, chosen.axis);
  // Each element is a slice of one: its place before and behind the axis counts along.
  const array before = reshape(arange(0, i3[0], s), {-1, 1, 1}, s);
  const array behind = reshape(arange(0, i3[2], s), {1, 1, -1}, s);
  Shape update_shape = i3;
  update_shape.insert(update_shape.end(), 3, 1);
  const std::vector<array> all{before, reshape(where_to, i3, s), behind};
  const array result =
      scatter_add(reshape(a, a3, s), all, reshape(update, update_shape, s), {0, 1, 2}, s);
  return reshape(result, a.shape(), s);
}

}  // namespace assay
