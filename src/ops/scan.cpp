// See scan.h.
#include "ops/scan.h"

#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay {
namespace {

// As in kernels/scan.metal.
struct Layout {
  uint32_t length, inner;
  uint32_t reverse, exclusive;
};

std::string_view name_of(FoldOp op) {
  switch (op) {
    case FoldOp::kProduct: return "cumprod";
    case FoldOp::kMin: return "cummin";
    case FoldOp::kMax: return "cummax";
    case FoldOp::kLogAddExp: return "logcumsumexp";
    default: return "cumsum";
  }
}

Dtype scan_type(FoldOp op, Dtype dtype) {
  if (op == FoldOp::kLogAddExp) return at_least_float(dtype);
  return op == FoldOp::kSum && dtype == bool_ ? int32 : dtype;
}

array scan(const array& a, Scan::Options options, const StreamOrDevice& where) {
  options.axis = normalize_axis(options.axis, a.ndim(), name_of(options.op));
  return make_array(a.shape(), scan_type(options.op, a.dtype()), std::make_shared<Scan>(options),
                    {a}, where);
}

}  // namespace

std::string_view Scan::name() const { return name_of(options_.op); }

bool Scan::is_same(const Primitive& other) const {
  const auto* scan = dynamic_cast<const Scan*>(&other);
  return scan && scan->options_ == options_;
}

std::optional<std::vector<Shape>> Scan::infer_shapes(std::span<const array> inputs) const {
  return {{inputs[0].shape()}};
}

void Scan::encode(std::span<const array> inputs, std::span<array> outputs, Encoder& encoder) const {
  const array input = encoder.make_row_contiguous(inputs[0]);
  encoder.allocate(outputs[0]);
  if (input.size() == 0) return;
  const Shape& shape = input.shape();
  Layout layout{.length = static_cast<uint32_t>(shape[static_cast<size_t>(options_.axis)]),
                .inner = 1,
                .reverse = options_.reverse ? 1u : 0u,
                .exclusive = options_.inclusive ? 0u : 1u};
  for (size_t i = static_cast<size_t>(options_.axis) + 1; i < shape.size(); ++i) {
    layout.inner *= static_cast<uint32_t>(shape[i]);
  }
  const auto lines = static_cast<uint32_t>(input.size() / layout.length);
  const bool is_row = layout.inner == 1;
  const std::string_view kernel_name = !is_row            ? "scan_columns"
                                       : options_.reverse ? "scan_rows_back"
                                                          : "scan_rows";
  const FoldTypes types{input.dtype(), fold_accumulator(options_.op, outputs[0].dtype()),
                        outputs[0].dtype()};
  const std::string key = fmt::format("scan:{}:{}", fold_key(options_.op, types), kernel_name);
  Arguments arguments;
  arguments.input(input).output(outputs[0]).value(layout);
  const kernel::LaunchSize size =
      is_row ? kernel::LaunchSize::threads({32, lines, 1}, {32, std::min(lines, 8u), 1})
             : kernel::LaunchSize::threads({layout.inner, lines / layout.inner, 1},
                                           {std::min(layout.inner, 1024u), 1, 1});
  encoder.dispatch({.key = key,
                    .source =
                        [&] {
                          std::string text = write_fold(options_.op, types);
                          return text += ops::kernel_text("scan");
                        },
                    .name = kernel_name},
                   arguments, size);
}

#define ASSAY_SCAN(name, op)                                                             \
  array name(const array& a, int axis, bool reverse, bool inclusive, StreamOrDevice s) { \
    return scan(a, {op, axis, reverse, inclusive}, s);                                   \
  }                                                                                      \
  array name(const array& a, bool reverse, bool inclusive, StreamOrDevice s) {           \
    return scan(flatten(a, s), {op, 0, reverse, inclusive}, s);                          \
  }
ASSAY_SCAN(cumsum, FoldOp::kSum)
ASSAY_SCAN(cumprod, FoldOp::kProduct)
ASSAY_SCAN(cummax, FoldOp::kMax)
ASSAY_SCAN(cummin, FoldOp::kMin)
ASSAY_SCAN(logcumsumexp, FoldOp::kLogAddExp)
#undef ASSAY_SCAN

}  // namespace assay
