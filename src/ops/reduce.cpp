// See reduce.h. Long reductions are done in pieces: a first pass leaves one value for each piece,
// which the next pass reduces. The pieces depend on the shape alone, so that results do not depend
// on the machine.
#include "ops/reduce.h"

#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace {

constexpr std::string_view kNames[] = {"sum", "prod", "min", "max", "all", "any"};

std::string_view name_of(ReduceOp op) { return kNames[static_cast<size_t>(op)]; }

// As in kernels/reduce.metal.
struct Layout {
  uint32_t width;
  uint32_t inner, outer;
  uint32_t inner_chunk, outer_chunk;
  int32_t kept_rank, outer_rank;
  int64_t inner_stride;
};

enum class Form : uint8_t { kRows, kStridedRows, kColumns, kEach };
constexpr std::string_view kFormNames[] = {"reduce_rows", "reduce_strided_rows", "reduce_columns",
                                           "reduce_each"};

constexpr uint32_t kMinColumns = 16;     // below, most lanes of a simdgroup had nothing to do
constexpr size_t kMinRowLength = 32;     // as for columns
constexpr size_t kRowPiece = 32768;      // elements
constexpr uint32_t kManyRows = 128;      // enough work for all threads without pieces
constexpr uint32_t kColumnPiece = 64;    // elements of one column
constexpr size_t kSmallColumns = 65536;  // elements that are not worth a second pass

struct Plan {
  Form form;
  Layout layout;
  uint32_t rows;    // results, for columns: divided by the width
  uint32_t pieces;  // per result
};

bool is_truth(ReduceOp op) { return op == ReduceOp::kAll || op == ReduceOp::kAny; }

// What values are combined in.
Dtype accumulator_type(ReduceOp op, Dtype input) {
  if (is_truth(op) || (input == bool_ && (op == ReduceOp::kMin || op == ReduceOp::kMax))) {
    return uint32;
  }
  return compute_type(reduce_type(op, input));
}

std::string_view combine_text(ReduceOp op, Dtype accumulator) {
  const bool is_float = is_floating_point(accumulator);
  switch (op) {
    case ReduceOp::kSum: return "a + b";
    case ReduceOp::kProduct: return "a * b";
    case ReduceOp::kMin:
      if (is_complex(accumulator)) return "complex_minimum(a, b)";
      return is_float ? "a < b || a != a ? a : b" : "a < b ? a : b";
    case ReduceOp::kMax:
      if (is_complex(accumulator)) return "complex_maximum(a, b)";
      return is_float ? "a > b || a != a ? a : b" : "a > b ? a : b";
    case ReduceOp::kAll: return "a & b";
    case ReduceOp::kAny: return "a | b";
  }
  return {};
}

std::string identity_text(ReduceOp op, Dtype accumulator) {
  const bool is_max = op == ReduceOp::kMax;
  switch (op) {
    case ReduceOp::kProduct:
    case ReduceOp::kAll: return "Acc(1)";
    case ReduceOp::kMin:
    case ReduceOp::kMax:
      if (is_complex(accumulator)) {
        return is_max ? "Acc(-INFINITY, -INFINITY)" : "Acc(INFINITY, INFINITY)";
      }
      if (is_floating_point(accumulator)) return is_max ? "Acc(-INFINITY)" : "Acc(INFINITY)";
      return fmt::format("metal::numeric_limits<Acc>::{}()", is_max ? "min" : "max");
    default: return "Acc(0)";
  }
}

struct Types {
  Dtype input, accumulator, output;
};

std::string write_source(ReduceOp op, const Types& types) {
  std::string text = "#include <metal_stdlib>\nusing namespace metal;\n";
  const bool has_complex = is_complex(types.input);
  if (has_complex) text += ops::kernel_text("complex");
  text += fmt::format("using In = {};\nusing Acc = {};\nusing Out = {};\n", msl_type(types.input),
                      msl_type(types.accumulator), msl_type(types.output));
  text += fmt::format("inline Acc combine(Acc a, Acc b) {{ return {}; }}\n",
                      combine_text(op, types.accumulator));
  text +=
      fmt::format("inline Acc identity() {{ return {}; }}\n", identity_text(op, types.accumulator));
  const std::string_view truth = has_complex ? "!(a == In(0.0f))" : "a != In(0)";
  text += fmt::format("inline Acc load(In a) {{ return Acc({}); }}\n", is_truth(op) ? truth : "a");
  text += "inline Out store(Acc a) { return Out(a); }\n";
  const bool has_parts = is_complex(types.accumulator);
  text += fmt::format("inline Acc shuffle_down(Acc a, uint step) {{ return {}; }}\n",
                      has_parts
                          ? "Acc(simd_shuffle_down(a.real, step), simd_shuffle_down(a.imag, step))"
                          : "simd_shuffle_down(a, ushort(step))");
  text += ops::kernel_text("reduce");
  return text;
}

bool is_columns(const ReduceLayout& layout) {
  return layout.kept.rank() > 0 && layout.kept.strides.back() == 1 &&
         layout.kept.shape.back() >= static_cast<ShapeElem>(kMinColumns);
}

uint32_t divide_up(size_t count, size_t part) {
  return static_cast<uint32_t>((count + part - 1) / part);
}

// Divides the outer elements, where there are any, else the inner ones.
void divide_into_pieces(Plan& plan, size_t piece) {
  Layout& layout = plan.layout;
  if (layout.outer > 1) {
    layout.outer_chunk = divide_up(piece, layout.inner);
    plan.pieces = divide_up(layout.outer, layout.outer_chunk);
  } else {
    layout.inner_chunk = static_cast<uint32_t>(piece);
    plan.pieces = divide_up(layout.inner, piece);
  }
}

Plan make_plan(const ReduceLayout& from) {
  const auto results = static_cast<uint32_t>(from.kept.count());
  const auto outer = static_cast<uint32_t>(from.outer.count());
  Plan plan{.form = Form::kEach,
            .layout = {.width = results,
                       .inner = from.inner,
                       .outer = outer,
                       .inner_chunk = from.inner,
                       .outer_chunk = outer,
                       .kept_rank = static_cast<int32_t>(from.kept.rank()),
                       .outer_rank = static_cast<int32_t>(from.outer.rank()),
                       .inner_stride = from.inner_stride},
            .rows = results,
            .pieces = 1};
  const size_t reduced = from.reduced_count();
  if (is_columns(from)) {
    plan.form = Form::kColumns;
    plan.layout.width = static_cast<uint32_t>(from.kept.shape.back());
    plan.layout.kept_rank -= 1;
    plan.rows = results / plan.layout.width;
    if (reduced >= 4 * kColumnPiece && reduced * results > kSmallColumns) {
      divide_into_pieces(plan, kColumnPiece);
    }
  } else if (reduced >= kMinRowLength) {
    plan.form = from.inner_stride == 1 ? Form::kRows : Form::kStridedRows;
    if (results < kManyRows && reduced > kRowPiece) divide_into_pieces(plan, kRowPiece);
  }
  return plan;
}

kernel::LaunchSize launch_size(const Plan& plan) {
  switch (plan.form) {
    case Form::kRows:
    case Form::kStridedRows:
      return kernel::LaunchSize::threadgroups({plan.pieces, plan.rows, 1}, {32, 1, 1});
    case Form::kColumns: {
      const uint32_t width = plan.layout.width;
      return kernel::LaunchSize::threads({width, plan.rows, plan.pieces},
                                         {std::min(width, 1024u), 1, 1});
    }
    case Form::kEach: break;
  }
  return kernel::LaunchSize::threads({plan.rows, 1, 1}, {std::min(plan.rows, 1024u), 1, 1});
}

struct Pass {
  ReduceOp op;
  Types types;
  const array& from;
  const array& to;
};

void dispatch_pass(const Pass& pass, const ReduceLayout& from, const Plan& plan, Encoder& encoder) {
  // The columns' own axis is not among those that the kernel looks up.
  const auto kept = from.kept.shape.begin() + plan.layout.kept_rank;
  Shape shape(from.kept.shape.begin(), kept);
  Strides strides(from.kept.strides.begin(), from.kept.strides.begin() + plan.layout.kept_rank);
  shape.insert(shape.end(), from.outer.shape.begin(), from.outer.shape.end());
  strides.insert(strides.end(), from.outer.strides.begin(), from.outer.strides.end());
  shape.push_back(1);  // something to bind where there is no axis
  strides.push_back(0);
  Arguments arguments;
  arguments.input(pass.from).output(pass.to).value(plan.layout);
  arguments.values<ShapeElem>(shape).values<int64_t>(strides);
  const std::string_view kernel_name = kFormNames[static_cast<size_t>(plan.form)];
  const std::string key =
      fmt::format("reduce:{}:{}{}{}:{}", name_of(pass.op), short_name(pass.types.input),
                  short_name(pass.types.accumulator), short_name(pass.types.output), kernel_name);
  encoder.dispatch({.key = key,
                    .source = [&] { return write_source(pass.op, pass.types); },
                    .name = kernel_name},
                   arguments, launch_size(plan));
}

// The pieces' values as the next pass sees them.
ReduceLayout pieces_layout(const Plan& plan) {
  ReduceLayout layout;
  const auto results = static_cast<ShapeElem>(
      size_t{plan.rows} * (plan.form == Form::kColumns ? plan.layout.width : 1));
  const auto pieces = static_cast<ShapeElem>(plan.pieces);
  const bool is_columns = plan.form == Form::kColumns;
  layout.kept.add(results, is_columns ? 1 : pieces);
  layout.inner = plan.pieces;
  layout.inner_stride = is_columns ? results : 1;
  return layout;
}

}  // namespace

Dtype reduce_type(ReduceOp op, Dtype dtype) {
  if (is_truth(op)) return bool_;
  if (op == ReduceOp::kMin || op == ReduceOp::kMax) return dtype;
  if (dtype == bool_) return int32;
  if (issubdtype(dtype, signedinteger)) return dtype.size() <= 4 ? int32 : int64;
  if (issubdtype(dtype, unsignedinteger)) return dtype.size() <= 4 ? uint32 : uint64;
  return dtype;
}

std::string_view Reduce::name() const { return name_of(op_); }

bool Reduce::is_same(const Primitive& other) const {
  const auto* reduce = dynamic_cast<const Reduce*>(&other);
  return reduce && reduce->op_ == op_ && reduce->axes_ == axes_ && reduce->keepdims_ == keepdims_;
}

std::optional<std::vector<Shape>> Reduce::infer_shapes(std::span<const array> inputs) const {
  return {{reduced_shape(inputs[0].shape(), axes_, keepdims_)}};
}

void Reduce::encode(std::span<const array> inputs, std::span<array> outputs,
                    Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  if (outputs[0].size() == 0) return;
  Types types{inputs[0].dtype(), accumulator_type(op_, inputs[0].dtype()), outputs[0].dtype()};
  ReduceLayout layout = reduce_layout(inputs[0].node(), axes_);
  array from = inputs[0];
  for (;;) {
    const Plan plan = make_plan(layout);
    if (plan.pieces == 1) {
      dispatch_pass({op_, types, from, outputs[0]}, layout, plan, encoder);
      return;
    }
    ReduceLayout next = pieces_layout(plan);
    const auto count = static_cast<ShapeElem>(next.kept.count() * plan.pieces);
    const array pieces = encoder.make_temporary({count}, types.accumulator);
    dispatch_pass({op_, {types.input, types.accumulator, types.accumulator}, from, pieces}, layout,
                  plan, encoder);
    types.input = types.accumulator;
    from = pieces;
    layout = std::move(next);
  }
}

array reduce(ReduceOp op, const array& a, const std::vector<int>& axes, bool keepdims,
             const StreamOrDevice& where) {
  const std::vector<int> sorted = normalize_axes(axes, a.ndim(), name_of(op));
  const Dtype result = reduce_type(op, a.dtype());
  if (sorted.empty()) {
    return op == ReduceOp::kSum || op == ReduceOp::kProduct ? a : astype(a, result, where);
  }
  if (op == ReduceOp::kMin || op == ReduceOp::kMax) {
    for (const int axis : sorted) {
      if (a.shape(axis) != 0) continue;
      throw std::invalid_argument(
          fmt::format("[{0}] Cannot {0} reduce over axis {1} with size 0.", name_of(op), axis));
    }
  }
  Shape shape = reduced_shape(a.shape(), sorted, keepdims);
  return make_array(std::move(shape), result, std::make_shared<Reduce>(op, sorted, keepdims), {a},
                    where);
}

#define ASSAY_REDUCTION(function, op)                                                             \
  array function(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) { \
    return reduce(op, a, axes, keepdims, s);                                                      \
  }                                                                                               \
  array function(const array& a, bool keepdims, StreamOrDevice s) {                               \
    return reduce(op, a, all_axes(a.ndim()), keepdims, s);                                        \
  }                                                                                               \
  array function(const array& a, int axis, bool keepdims, StreamOrDevice s) {                     \
    return reduce(op, a, {axis}, keepdims, s);                                                    \
  }
ASSAY_REDUCTION(sum, ReduceOp::kSum)
ASSAY_REDUCTION(prod, ReduceOp::kProduct)
ASSAY_REDUCTION(min, ReduceOp::kMin)
ASSAY_REDUCTION(max, ReduceOp::kMax)
ASSAY_REDUCTION(all, ReduceOp::kAll)
ASSAY_REDUCTION(any, ReduceOp::kAny)
#undef ASSAY_REDUCTION

}  // namespace assay
