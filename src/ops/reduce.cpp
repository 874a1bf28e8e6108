// See reduce.h. Long reductions are done in pieces: a first pass leaves one value for each piece,
// which the next pass reduces. The pieces depend on the shape alone, so that results do not depend
// on the machine.
#include "ops/reduce.h"

#include <stdexcept>

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/elementwise.h"

namespace assay {
namespace {

constexpr std::string_view kNames[] = {"sum", "prod", "min", "max", "all", "any"};

std::string_view name_of(FoldOp op) { return kNames[static_cast<size_t>(op)]; }

constexpr std::string_view kFormNames[] = {"rows", "columns", "each"};

// As in kernels/reduce.metal.
struct Layout {
  uint32_t width;
  uint32_t inner, outer;
  uint32_t inner_chunk, outer_chunk;
  int32_t kept_rank, outer_first, outer_rank;
  int32_t axes;
};

constexpr uint32_t kMinColumns = 16;     // below, most lanes of a simdgroup had nothing to do
constexpr size_t kMinRowLength = 32;     // as for columns
constexpr size_t kRowPiece = 32768;      // elements
constexpr uint32_t kManyRows = 128;      // enough work for all threads without pieces
constexpr uint32_t kColumnPiece = 64;    // elements of one column
constexpr size_t kSmallColumns = 65536;  // elements that are not worth a second pass

struct Plan {
  ReduceForm form;
  Layout layout;
  uint32_t rows;    // results, for columns: divided by the width
  uint32_t pieces;  // per result
};

bool is_columns(const SharedLayout& layout) {
  return layout.kept.rank() > 0 && layout.kept.strides[layout.leader].back() == 1 &&
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

Plan make_plan(const SharedLayout& from) {
  const auto results = static_cast<uint32_t>(from.kept.count());
  const auto outer = static_cast<uint32_t>(from.outer.count());
  const auto kept_rank = static_cast<int32_t>(from.kept.rank());
  const auto outer_rank = static_cast<int32_t>(from.outer.rank());
  Plan plan{.form = ReduceForm::kEach,
            .layout = {.width = results,
                       .inner = from.inner,
                       .outer = outer,
                       .inner_chunk = from.inner,
                       .outer_chunk = outer,
                       .kept_rank = kept_rank,
                       .outer_first = kept_rank,
                       .outer_rank = outer_rank,
                       .axes = kept_rank + outer_rank + 1},
            .rows = results,
            .pieces = 1};
  const size_t reduced = from.reduced_count();
  if (is_columns(from)) {
    plan.form = ReduceForm::kColumns;
    plan.layout.width = static_cast<uint32_t>(from.kept.shape.back());
    plan.layout.kept_rank -= 1;  // x is not among the axes that the kernel looks up
    plan.rows = results / plan.layout.width;
    if (reduced >= 4 * kColumnPiece && reduced * results > kSmallColumns) {
      divide_into_pieces(plan, kColumnPiece);
    }
  } else if (reduced >= kMinRowLength) {
    plan.form = ReduceForm::kRows;
    if (results < kManyRows && reduced > kRowPiece) divide_into_pieces(plan, kRowPiece);
  }
  return plan;
}

kernel::LaunchSize launch_size(const Plan& plan) {
  switch (plan.form) {
    case ReduceForm::kRows:
      return kernel::LaunchSize::threads({32 * plan.pieces, plan.rows, 1},
                                         {32, plan.pieces > 1 ? 1 : std::min(plan.rows, 8u), 1});
    case ReduceForm::kColumns: {
      const uint32_t width = plan.layout.width;
      return kernel::LaunchSize::threads({width, plan.rows, plan.pieces},
                                         {std::min(width, 1024u), 1, 1});
    }
    case ReduceForm::kEach: break;
  }
  return kernel::LaunchSize::threads({plan.rows, 1, 1}, {std::min(plan.rows, 1024u), 1, 1});
}

ReduceStep step_of(int64_t stride) {
  if (stride == 0) return ReduceStep::kNone;
  return stride == 1 ? ReduceStep::kOne : ReduceStep::kStride;
}

struct Pass {
  FoldOp op;
  FoldTypes types;
  const ReduceTapes& tapes;
  std::span<const array> from;  // arrays, then single values
  const array& to;
  std::string_view name;
};

void dispatch_pass(const Pass& pass, const SharedLayout& from, const Plan& plan, Encoder& encoder) {
  Shape shape = from.kept.shape;
  shape.insert(shape.end(), from.outer.shape.begin(), from.outer.shape.end());
  shape.push_back(1);  // something to bind where there is no axis
  ReduceText text{pass.op, pass.types, pass.tapes, plan.form, {}, {}};
  std::vector<int64_t> strides;
  for (size_t i = 0; i < from.inner_strides.size(); ++i) {
    const Strides &kept = from.kept.strides[i], &outer = from.outer.strides[i];
    strides.insert(strides.end(), kept.begin(), kept.end());
    strides.insert(strides.end(), outer.begin(), outer.end());
    strides.push_back(from.inner_strides[i]);
    text.inner.push_back(step_of(from.inner_strides[i]));
    if (plan.form == ReduceForm::kColumns) text.columns.push_back(step_of(kept.back()));
  }
  Arguments arguments;
  arguments.output(pass.to).value(plan.layout).values<ShapeElem>(shape).values<int64_t>(strides);
  for (const array& input : pass.from) arguments.input(input);
  const std::string name =
      fmt::format("{}_{}", pass.name, kFormNames[static_cast<size_t>(plan.form)]);
  encoder.dispatch({.key = reduce_key(text),
                    .source = [&] { return write_reduction(text, name); },
                    .name = name},
                   arguments, launch_size(plan));
}

// The pieces' values as the next pass sees them.
SharedLayout pieces_layout(const Plan& plan) {
  SharedLayout layout;
  const bool is_columns = plan.form == ReduceForm::kColumns;
  const auto results =
      static_cast<ShapeElem>(size_t{plan.rows} * (is_columns ? plan.layout.width : 1));
  const auto pieces = static_cast<ShapeElem>(plan.pieces);
  layout.kept.add(results, {is_columns ? 1 : pieces});
  layout.outer.strides.resize(1);
  layout.inner = plan.pieces;
  layout.inner_strides = {is_columns ? results : 1};
  return layout;
}

ElementTape reading(Dtype dtype) { return {{{dtype}}, {}, {0}}; }

SharedLayout layout_of(std::span<const array> arrays, const std::vector<int>& axes) {
  Shape shape = arrays[0].shape();
  std::vector<const Node*> nodes;
  for (const array& each : arrays) {
    if (each.shape() != shape) shape = broadcast_shapes(shape, each.shape());
    nodes.push_back(&each.node());
  }
  return shared_layout(shape, nodes, axes);
}

}  // namespace

Dtype reduce_type(FoldOp op, Dtype dtype) {
  if (op == FoldOp::kAll || op == FoldOp::kAny) return bool_;
  if (op == FoldOp::kMin || op == FoldOp::kMax) return dtype;
  if (dtype == bool_) return int32;
  if (issubdtype(dtype, signedinteger)) return dtype.size() <= 4 ? int32 : int64;
  if (issubdtype(dtype, unsignedinteger)) return dtype.size() <= 4 ? uint32 : uint64;
  return dtype;
}

Reduce::Reduce(const Reduce& plain, ReduceTapes tapes)
    : op_(plain.op_),
      axes_(plain.axes_),
      keepdims_(plain.keepdims_),
      tapes_(std::move(tapes)),
      fused_name_((tapes_.before.steps.empty() ? "" : tapes_.before.name() + "_") +
                  std::string(name_of(op_)) +
                  (tapes_.after.steps.empty() ? "" : "_" + tapes_.after.name())) {}

std::string_view Reduce::name() const { return is_plain() ? name_of(op_) : fused_name_; }

bool Reduce::is_same(const Primitive& other) const {
  const auto* reduce = dynamic_cast<const Reduce*>(&other);
  return reduce && reduce->op_ == op_ && reduce->axes_ == axes_ && reduce->keepdims_ == keepdims_ &&
         reduce->is_plain() && is_plain();
}

std::optional<std::vector<Shape>> Reduce::infer_shapes(std::span<const array> inputs) const {
  Shape shape = inputs[0].shape();
  for (const array& input : inputs.subspan(0, array_count())) {
    shape = broadcast_shapes(shape, input.shape());
  }
  return {{reduced_shape(shape, axes_, keepdims_)}};
}

void Reduce::encode(std::span<const array> inputs, std::span<array> outputs,
                    Encoder& encoder) const {
  encoder.allocate(outputs[0]);
  if (outputs[0].size() == 0) return;
  ReduceTapes tapes = is_plain() ? ReduceTapes{reading(inputs[0].dtype()), {}} : tapes_;
  const Dtype result =
      tapes.after.inputs.empty() ? outputs[0].dtype() : tapes.after.inputs[0].dtype;
  const Dtype accumulator = fold_accumulator(op_, result);
  FoldTypes types{tapes.before.type_of(tapes.before.outputs[0]), accumulator, result};
  const std::span<const array> values = inputs.subspan(array_count());
  std::vector<array> from(inputs.begin(), inputs.begin() + static_cast<long>(array_count()));
  SharedLayout layout = layout_of(from, axes_);
  for (;;) {
    const Plan plan = make_plan(layout);
    if (plan.pieces == 1) {
      from.insert(from.end(), values.begin(), values.end());
      dispatch_pass({op_, types, tapes, from, outputs[0], name()}, layout, plan, encoder);
      return;
    }
    SharedLayout next = pieces_layout(plan);
    const auto count = static_cast<ShapeElem>(next.kept.count() * plan.pieces);
    const array pieces = encoder.make_temporary({count}, accumulator);
    dispatch_pass(
        {op_, {types.input, accumulator, accumulator}, {tapes.before, {}}, from, pieces, name()},
        layout, plan, encoder);
    types.input = accumulator;
    tapes.before = reading(accumulator);
    from = {pieces};
    layout = std::move(next);
  }
}

// Unlike other ops, reductions call an axis that is not there out of range, as MLX's do.
static void check_axes(const std::vector<int>& axes, size_t ndim, std::string_view op) {
  const int rank = static_cast<int>(ndim);
  for (const int axis : axes) {
    if (axis >= -rank && axis < rank) continue;
    throw std::out_of_range(
        fmt::format("[{}] Axis {} is out of bounds for array with {} dimensions.", op, axis, rank));
  }
}

array reduce(FoldOp op, const array& a, const std::vector<int>& axes, bool keepdims,
             const StreamOrDevice& where) {
  check_axes(axes, a.ndim(), name_of(op));
  const std::vector<int> sorted = normalize_axes(axes, a.ndim(), name_of(op));
  const Dtype result = reduce_type(op, a.dtype());
  if (sorted.empty()) {
    return op == FoldOp::kSum || op == FoldOp::kProduct ? a : astype(a, result, where);
  }
  if (op == FoldOp::kMin || op == FoldOp::kMax) {
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
ASSAY_REDUCTION(sum, FoldOp::kSum)
ASSAY_REDUCTION(prod, FoldOp::kProduct)
ASSAY_REDUCTION(min, FoldOp::kMin)
ASSAY_REDUCTION(max, FoldOp::kMax)
ASSAY_REDUCTION(all, FoldOp::kAll)
ASSAY_REDUCTION(any, FoldOp::kAny)
#undef ASSAY_REDUCTION

}  // namespace assay
