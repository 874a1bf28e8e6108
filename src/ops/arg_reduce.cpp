// argmin and argmax. As in MLX, NaN is never the extreme.
#include <stdexcept>

#include "array/primitive.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"
#include "ops/reduce_layout.h"

namespace assay {
namespace {

// As in kernels/arg_reduce.metal.
struct Layout {
  uint32_t width, length, chunk;
  int32_t kept_rank;
  int64_t stride;
};

constexpr ShapeElem kMinColumns = 16;
constexpr uint32_t kMinRowLength = 32;
constexpr uint32_t kPiece = 32768;   // elements that are searched by one simdgroup
constexpr uint32_t kManyRows = 128;  // enough work for all threads without pieces

enum class Form : uint8_t { kRows, kStridedRows, kColumns, kEach };
constexpr std::string_view kFormNames[] = {"arg_rows", "arg_strided_rows", "arg_columns",
                                           "arg_each"};

class ArgReduce final : public Primitive {
 public:
  ArgReduce(bool is_max, int axis, bool keepdims)
      : is_max_(is_max), axis_(axis), keepdims_(keepdims) {}

  std::string_view name() const override { return is_max_ ? "argmax" : "argmin"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    return {{reduced_shape(inputs[0].shape(), {axis_}, keepdims_)}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const ArgReduce*>(&other);
    return same && same->is_max_ == is_max_ && same->axis_ == axis_ && same->keepdims_ == keepdims_;
  }

 private:
  std::string write_source(Dtype input) const;
  KernelRequest request(const std::string& key, std::string_view kernel, Dtype input) const {
    return {.key = key, .source = [this, input] { return write_source(input); }, .name = kernel};
  }
  std::string key(std::string_view kernel, Dtype input) const {
    return fmt::format("{}:{}:{}", name(), short_name(input), kernel);
  }

  const bool is_max_;
  const int axis_;
  const bool keepdims_;
};

constexpr std::string_view kMove = R"(
template <ushort step>
inline Acc move_value_down(Acc a) { return simd_shuffle_down(a, step); }
)";
constexpr std::string_view kComplexMove = R"(
template <ushort step>
inline Acc move_value_down(Acc a) {
  return Acc(simd_shuffle_down(a.real, step), simd_shuffle_down(a.imag, step));
}
)";

std::string ArgReduce::write_source(Dtype input) const {
  std::string text = ops::write_prelude({input}) + "using namespace metal;\n";
  const Dtype accumulator = input == bool_ ? uint32 : compute_type(input);
  text += fmt::format("using In = {};\nusing Acc = {};\n", msl_type(input), msl_type(accumulator));
  const std::string_view less = is_complex(input) ? "complex_less({}, {})" : "{} < {}";
  const std::string comparison = is_max_ ? fmt::format(fmt::runtime(less), "b", "a")
                                         : fmt::format(fmt::runtime(less), "a", "b");
  text += fmt::format("inline bool is_better(Acc a, Acc b) {{ return {}; }}\n", comparison);
  text += is_complex(input) ? kComplexMove : kMove;
  return text += ops::kernel_text("arg_reduce");
}

struct Plan {
  Form form;
  Layout layout;
  uint32_t rows, pieces;
};

Plan make_plan(const ReduceLayout& from) {
  const auto results = static_cast<uint32_t>(from.kept.count());
  Plan plan{.form = Form::kEach,
            .layout = {.width = results,
                       .length = from.inner,
                       .chunk = from.inner,
                       .kept_rank = static_cast<int32_t>(from.kept.rank()),
                       .stride = from.inner_stride},
            .rows = results,
            .pieces = 1};
  const bool is_columns = from.kept.rank() > 0 && from.kept.strides.back() == 1 &&
                          from.kept.shape.back() >= kMinColumns;
  uint32_t piece = kPiece;
  if (is_columns) {
    plan.form = Form::kColumns;
    plan.layout.width = static_cast<uint32_t>(from.kept.shape.back());
    plan.layout.kept_rank -= 1;
    plan.rows = results / plan.layout.width;
    piece = kPiece / 32;
  } else if (from.inner >= kMinRowLength) {
    plan.form = from.inner_stride == 1 ? Form::kRows : Form::kStridedRows;
  }
  if (plan.form != Form::kEach && results < kManyRows * 32 && from.inner > piece) {
    plan.layout.chunk = piece;
    plan.pieces = (from.inner + piece - 1) / piece;
  }
  return plan;
}

kernel::LaunchSize launch_size(const Plan& plan) {
  const uint32_t width = plan.layout.width;
  switch (plan.form) {
    case Form::kRows:
    case Form::kStridedRows:
      return kernel::LaunchSize::threads({32 * plan.pieces, plan.rows, 1},
                                         {32, plan.pieces > 1 ? 1 : std::min(plan.rows, 8u), 1});
    case Form::kColumns:
      return kernel::LaunchSize::threads({width, plan.rows, plan.pieces},
                                         {std::min(width, 1024u), 1, 1});
    case Form::kEach: break;
  }
  return kernel::LaunchSize::threads({width, 1, 1}, {std::min(width, 1024u), 1, 1});
}

void ArgReduce::encode(std::span<const array> inputs, std::span<array> outputs,
                       Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  if (outputs[0].size() == 0) return;
  const array& input = inputs[0];
  ReduceLayout layout = reduce_layout(input.node(), {axis_});
  Plan plan = make_plan(layout);
  layout.kept.shape.push_back(1);  // something to bind where there is no axis
  layout.kept.strides.push_back(0);
  array found = outputs[0];
  if (plan.pieces > 1) {
    found =
        encoder.make_temporary({static_cast<ShapeElem>(outputs[0].size() * plan.pieces)}, uint32);
  }
  const std::string_view kernel_name = kFormNames[static_cast<size_t>(plan.form)];
  Arguments arguments;
  arguments.input(input).output(found).value(plan.layout);
  arguments.values<ShapeElem>(layout.kept.shape).values<int64_t>(layout.kept.strides);
  encoder.dispatch(request(key(kernel_name, input.dtype()), kernel_name, input.dtype()), arguments,
                   launch_size(plan));
  if (plan.pieces == 1) return;
  plan.layout.kept_rank = static_cast<int32_t>(layout.kept.rank() - 1);
  Arguments pick;
  pick.input(input).input(found).output(outputs[0]).value(plan.layout);
  pick.values<ShapeElem>(layout.kept.shape).values<int64_t>(layout.kept.strides);
  pick.value(plan.pieces);
  const auto results = static_cast<uint32_t>(outputs[0].size());
  encoder.dispatch(request(key("arg_pick", input.dtype()), "arg_pick", input.dtype()), pick,
                   kernel::LaunchSize::threads({results, 1, 1}, {std::min(results, 1024u), 1, 1}));
}

array arg_reduce(bool is_max, const array& a, int axis, bool keepdims,
                 const StreamOrDevice& where) {
  const char* name = is_max ? "argmax" : "argmin";
  if (a.size() == 0) {
    throw std::invalid_argument(fmt::format("[{0}] Cannot {0} reduce zero size array.", name));
  }
  axis = normalize_axis(axis, a.ndim(), name);
  Shape shape = reduced_shape(a.shape(), {axis}, keepdims);
  return make_array(std::move(shape), uint32, std::make_shared<ArgReduce>(is_max, axis, keepdims),
                    {a}, where);
}

array arg_reduce_all(bool is_max, const array& a, bool keepdims, const StreamOrDevice& where) {
  const array result = arg_reduce(is_max, flatten(a, where), 0, keepdims, where);
  return keepdims ? reshape(result, Shape(a.ndim(), 1), where) : result;
}

}  // namespace

#define ASSAY_ARG_REDUCTION(name, is_max)                                 \
  array name(const array& a, bool keepdims, StreamOrDevice s) {           \
    return arg_reduce_all(is_max, a, keepdims, s);                        \
  }                                                                       \
  array name(const array& a, int axis, bool keepdims, StreamOrDevice s) { \
    return arg_reduce(is_max, a, axis, keepdims, s);                      \
  }
ASSAY_ARG_REDUCTION(argmin, false)
ASSAY_ARG_REDUCTION(argmax, true)
#undef ASSAY_ARG_REDUCTION

}  // namespace assay
