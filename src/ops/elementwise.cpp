// Launch of element-wise kernels, and the functions of assay/elementwise.def.
#include "ops/elementwise.h"

#include <map>
#include <stdexcept>
#include <tuple>

#include "assay/ops.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "ops/element_types.h"
#include "ops/layout.h"

namespace assay {
namespace {

struct Layout {
  uint32_t width;
  int32_t rank;
};

Access access_of(const MergedLayout& merged, size_t input, bool is_linear) {
  const int64_t inner = merged.strides[input].back();
  const bool is_fixed = std::all_of(merged.strides[input].begin(), merged.strides[input].end(),
                                    [](int64_t stride) { return stride == 0; });
  if (is_fixed) return Access::kScalar;
  if (is_linear || merged.is_contiguous(input)) return Access::kLinear;
  if (inner == 1) return Access::kRow;
  return inner == 0 ? Access::kRepeat : Access::kStrided;
}

// The common case, which needs no merging of axes: every input is one element, or has the output's
// shape and no gaps. A bit for each input that is not one element; nothing in other cases.
std::optional<uint32_t> find_linear_inputs(std::span<const array> inputs, const array& output) {
  if (output.size() > INT32_MAX || inputs.size() > 31) return std::nullopt;
  uint32_t linear = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Node& node = inputs[i].node();
    if (node.size == 1) continue;
    if (node.shape != output.shape() || !is_row_contiguous(node)) return std::nullopt;
    linear |= 1u << i;
  }
  return linear;
}

TapeVariant make_linear_variant(size_t inputs, uint32_t linear) {
  TapeVariant variant;
  for (size_t i = 0; i < inputs; ++i) {
    variant.accesses.push_back((linear >> i & 1) != 0 ? Access::kLinear : Access::kScalar);
  }
  return variant;
}

using EagerKey = std::tuple<const ElementRow*, Dtype::Val, Dtype::Val, Dtype::Val, Dtype::Val>;

// Primitives of single ops, made once for each combination of types.
std::shared_ptr<const Elementwise> eager_primitive(const ElementRow& row, Dtype operand,
                                                   Dtype result, std::span<const array> inputs) {
  auto type = [&](size_t i) { return i < inputs.size() ? inputs[i].dtype().val() : result.val(); };
  const EagerKey key{&row, result.val(), type(0), type(1), type(2)};
  thread_local std::map<EagerKey, std::shared_ptr<const Elementwise>> known;
  std::shared_ptr<const Elementwise>& entry = known[key];
  if (!entry) {
    ElementTape tape;
    TapeStep step{&row, operand, result, {}};
    for (const array& input : inputs) {
      step.arguments.push_back(static_cast<uint32_t>(tape.inputs.size()));
      tape.inputs.push_back({input.dtype()});
    }
    tape.outputs = {static_cast<uint32_t>(tape.inputs.size())};
    tape.steps.push_back(std::move(step));
    entry = std::make_shared<Elementwise>(std::move(tape));
  }
  return entry;
}

Shape broadcast_all(std::span<const array> inputs) {
  Shape shape = inputs[0].shape();
  for (const array& input : inputs.subspan(1)) {
    if (input.shape() != shape) shape = broadcast_shapes(shape, input.shape());
  }
  return shape;
}

}  // namespace

Elementwise::Elementwise(ElementTape tape)
    : tape_(std::move(tape)), name_(tape_.name()), key_(tape_.key()) {}

bool Elementwise::is_same(const Primitive& other) const {
  const auto* element = dynamic_cast<const Elementwise*>(&other);
  return element && (element == this || element->key_ == key_);
}

std::optional<std::vector<Shape>> Elementwise::infer_shapes(std::span<const array> inputs) const {
  return std::vector<Shape>(tape_.outputs.size(), broadcast_all(inputs));
}

void Elementwise::encode(std::span<const array> inputs, std::span<array> outputs,
                         Encoder& encoder) const {
  for (array& output : outputs) encoder.allocate_or_reuse(output, inputs);
  if (outputs[0].size() == 0) return;
  Arguments arguments;
  for (const array& input : inputs) arguments.input(input);
  for (const array& output : outputs) arguments.output(output);
  if (const std::optional<uint32_t> linear = find_linear_inputs(inputs, outputs[0])) {
    return launch_linear(*linear, arguments, static_cast<uint32_t>(outputs[0].size()), encoder);
  }
  TapeVariant variant;
  MergedLayout merged = merge_axes(outputs[0].shape(), inputs);
  variant.is_linear = merged.shape.size() == 1;
  for (size_t i = 0; i < inputs.size() && variant.is_linear; ++i) {
    const int64_t stride = merged.strides[i][0];
    variant.is_linear = stride == 1 || stride == 0;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    variant.accesses.push_back(access_of(merged, i, variant.is_linear));
  }
  const auto width = static_cast<uint32_t>(merged.shape.back());
  if (variant.is_linear) return launch(variant, arguments, row_launch(width, 1), encoder);
  const auto rows = static_cast<uint32_t>(outputs[0].size() / width);
  merged.shape.pop_back();
  arguments.value(Layout{width, static_cast<int32_t>(merged.shape.size())});
  if (merged.shape.empty()) merged.shape.push_back(1);  // nothing to read, but bound
  arguments.values<ShapeElem>(merged.shape);
  std::vector<int64_t> strides;
  for (const Strides& own : merged.strides) strides.insert(strides.end(), own.begin(), own.end());
  arguments.values<int64_t>(strides);
  launch(variant, arguments, row_launch(width, rows), encoder);
}

void Elementwise::launch_linear(uint32_t linear, const Arguments& arguments, uint32_t width,
                                Encoder& encoder) const {
  auto* memo = linear < linear_kernels_.size() ? &linear_kernels_[linear] : nullptr;
  const kernel::LaunchSize size = row_launch(width, 1);
  if (memo && *memo) return encoder.dispatch({.memo = memo}, arguments, size);
  launch(make_linear_variant(tape_.inputs.size(), linear), arguments, size, encoder, memo);
}

void Elementwise::launch(const TapeVariant& variant, const Arguments& arguments,
                         const kernel::LaunchSize& size, Encoder& encoder,
                         std::shared_ptr<const device::LoadedKernel>* memo) const {
  std::string key;
  key.reserve(key_.size() + 1 + variant.accesses.size());
  key += key_;
  key += variant.is_linear ? '|' : '#';
  for (const Access access : variant.accesses) {
    key += static_cast<char>('a' + static_cast<int>(access));
  }
  encoder.dispatch({.key = key,
                    .source = [&] { return write_element_kernel(tape_, variant, name_); },
                    .name = name_,
                    .memo = memo},
                   arguments, size);
}

array apply_row(const ElementRow& row, std::vector<array> inputs, const StreamOrDevice& where) {
  Dtype promoted = inputs[0].dtype();
  for (size_t i = 1; i < inputs.size(); ++i) {
    promoted = promote_types(promoted, inputs[i].dtype());
  }
  const ElementTypes types = element_types(row, promoted);
  Shape shape = broadcast_all(inputs);
  auto primitive = eager_primitive(row, types.operand, types.result, inputs);
  return make_array(std::move(shape), types.result, std::move(primitive), std::move(inputs), where);
}

const ElementRow& row_named(std::string_view name) {
  for (const ElementRow& row : element_rows()) {
    if (row.name == name) return row;
  }
  throw std::invalid_argument(fmt::format("no element-wise op is called {}", name));
}

std::string describe_shape(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ","), shape.size() == 1 ? "," : "");
}

Shape broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape shape = longer;
  const size_t skipped = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    ShapeElem& length = shape[skipped + i];
    if (length == shorter[i] || shorter[i] == 1) continue;
    if (length != 1) {
      throw std::invalid_argument(
          fmt::format("[broadcast_shapes] Shapes {} and {} cannot be broadcast.", describe_shape(a),
                      describe_shape(b)));
    }
    length = shorter[i];
  }
  return shape;
}

namespace {
enum class RowNumber : size_t {
#define ASSAY_UNARY(name, rule, floating, integral, complex) name,
#define ASSAY_BINARY(name, rule, floating, integral, complex) name,
#include "assay/elementwise.def"
};
const ElementRow& row_at(RowNumber number) { return element_rows()[static_cast<size_t>(number)]; }

// Not `{a, b}`: a list of values would copy each of them twice.
template <typename... Arrays>
std::vector<array> inputs_of(const Arrays&... arrays) {
  std::vector<array> inputs;
  inputs.reserve(sizeof...(arrays));
  (inputs.push_back(arrays), ...);
  return inputs;
}
}  // namespace

#define ASSAY_UNARY(name, rule, floating, integral, complex)    \
  array name(const array& a, StreamOrDevice s) {                \
    return apply_row(row_at(RowNumber::name), inputs_of(a), s); \
  }
#define ASSAY_BINARY(name, rule, floating, integral, complex)      \
  array name(const array& a, const array& b, StreamOrDevice s) {   \
    return apply_row(row_at(RowNumber::name), inputs_of(a, b), s); \
  }
#include "assay/elementwise.def"

array astype(const array& a, Dtype dtype, StreamOrDevice s) {
  if (a.dtype() == dtype) return a;
  auto primitive = eager_primitive(convert_row(), dtype, dtype, {&a, 1});
  return make_array(a.shape(), dtype, std::move(primitive), {a}, s);
}

array where(const array& condition, const array& x, const array& y, StreamOrDevice s) {
  const Dtype result = promote_types(x.dtype(), y.dtype());
  std::vector<array> inputs{condition, x, y};
  Shape shape = broadcast_all(inputs);
  auto primitive = eager_primitive(select_row(), result, result, inputs);
  return make_array(std::move(shape), result, std::move(primitive), std::move(inputs), s);
}

}  // namespace assay
