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

std::string_view name_of(FoldOp op) { return kNames[static_cast<size_t>(op)]; }

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
constexpr size_t kMinRowLength = 64;     // as for columns
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
      return kernel::LaunchSize::threads({32 * plan.pieces, plan.rows, 1},
                                         {32, plan.pieces > 1 ? 1 : std::min(plan.rows, 8u), 1});
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
  FoldOp op;
  FoldTypes types;
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
  const std::string key = fmt::format("reduce:{}:{}", fold_key(pass.op, pass.types), kernel_name);
  encoder.dispatch({.key = key,
                    .source =
                        [&] {
                          std::string text = write_fold(pass.op, pass.types);
                          return text += ops::kernel_text("reduce");
                        },
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

Dtype reduce_type(FoldOp op, Dtype dtype) {
  if (op == FoldOp::kAll || op == FoldOp::kAny) return bool_;
  if (op == FoldOp::kMin || op == FoldOp::kMax) return dtype;
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
  const Dtype accumulator = fold_accumulator(op_, outputs[0].dtype());
  FoldTypes types{inputs[0].dtype(), accumulator, outputs[0].dtype()};
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

array reduce(FoldOp op, const array& a, const std::vector<int>& axes, bool keepdims,
             const StreamOrDevice& where) {
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
