// softmax and logsumexp: a kernel of their own for rows, other ops for everything else.
#include <stdexcept>

#include "array/primitive.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/axes.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"
#include "ops/layout.h"
#include "ops/reduce_layout.h"

namespace assay {
namespace {

class SoftmaxRows final : public Primitive {
 public:
  enum class Result : uint8_t { kSoftmax, kLogSumExp };
  explicit SoftmaxRows(Result result) : result_(result) {}

  std::string_view name() const override {
    return result_ == Result::kSoftmax ? "softmax" : "logsumexp";
  }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    Shape shape = inputs[0].shape();
    if (result_ == Result::kLogSumExp) shape.back() = 1;
    return {{std::move(shape)}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const SoftmaxRows*>(&other);
    return same && same->result_ == result_;
  }

 private:
  const Result result_;
};

// Below, a thread takes a row instead of a simdgroup, if there are enough for all lanes.
constexpr uint32_t kShortRow = 16;
constexpr uint32_t kManyShortRows = 32;

void SoftmaxRows::encode(std::span<const array> inputs, std::span<array> outputs,
                         Encoder& encoder) const {
  const array input = encoder.make_row_contiguous(inputs[0]);
  const bool is_softmax = result_ == Result::kSoftmax;
  if (is_softmax) {
    encoder.allocate_or_reuse(outputs[0], inputs);
  } else {
    encoder.allocate(outputs[0]);
  }
  if (outputs[0].size() == 0) return;
  const auto length = static_cast<uint32_t>(input.shape().back());
  const auto rows = static_cast<uint32_t>(input.size() / length);
  const bool is_short = is_softmax && length < kShortRow && rows >= kManyShortRows;
  const std::string_view kernel_name = is_short     ? "softmax_short_rows"
                                       : is_softmax ? "softmax_rows"
                                                    : "logsumexp_rows";
  const std::string_view type = msl_type(input.dtype());
  const std::string key = fmt::format("{}:{}", kernel_name, type);
  Arguments arguments;
  arguments.input(input).output(outputs[0]).value(length);
  encoder.dispatch({.key = key,
                    .source =
                        [&] {
                          return fmt::format(
                              "#include <metal_stdlib>\nusing namespace metal;\nusing T = {};\n{}",
                              type, ops::kernel_text("softmax"));
                        },
                    .name = kernel_name},
                   arguments,
                   is_short
                       ? row_launch(rows, 1)
                       : kernel::LaunchSize::threads({32, rows, 1}, {32, std::min(rows, 8u), 1}));
}

// A simdgroup takes a row: where there are few and long ones, other ops use all threads.
constexpr ShapeElem kLongRow = 1 << 17;
constexpr size_t kFewRows = 4;

bool is_for_rows(const array& a, const std::vector<int>& sorted_axes) {
  if (sorted_axes.empty() || is_complex(a.dtype()) || a.dtype() == float64) return false;
  if (sorted_axes.back() != static_cast<int>(a.ndim()) - 1) return false;
  for (size_t i = 0; i + 1 < sorted_axes.size(); ++i) {
    if (a.shape(sorted_axes[i]) != 1) return false;
  }
  const ShapeElem length = a.shape(-1);
  return length < kLongRow || a.size() / static_cast<size_t>(length) >= kFewRows;
}

void require_axes(const array& a, const std::vector<int>& axes, std::string_view name) {
  if (a.ndim() == 0 && !axes.empty()) {
    throw std::invalid_argument(
        fmt::format("[{}] Received non-empty axes for array with 0 dimensions.", name));
  }
}

}  // namespace

array softmax(const array& a, const std::vector<int>& axes, bool precise, StreamOrDevice s) {
  if (a.size() == 0) return a;
  require_axes(a, axes, "softmax");
  const std::vector<int> sorted = normalize_axes(axes, a.ndim(), "softmax");
  const Dtype dtype = at_least_float(a.dtype());
  if (is_for_rows(a, sorted)) {
    auto primitive = std::make_shared<SoftmaxRows>(SoftmaxRows::Result::kSoftmax);
    return make_array(a.shape(), dtype, std::move(primitive), {astype(a, dtype, s)}, s);
  }
  const array in = precise && !is_complex(a.dtype()) ? astype(a, float32, s) : astype(a, dtype, s);
  const array powers = exp(subtract(in, max(in, sorted, true, s), s), s);
  return astype(divide(powers, sum(powers, sorted, true, s), s), dtype, s);
}

array softmax(const array& a, bool precise, StreamOrDevice s) {
  return softmax(a, all_axes(a.ndim()), precise, s);
}

array logsumexp(const array& a, const std::vector<int>& axes, bool keepdims, StreamOrDevice s) {
  if (a.size() == 0) throw std::invalid_argument("[logsumexp] Received empty array.");
  require_axes(a, axes, "logsumexp");
  const std::vector<int> sorted = normalize_axes(axes, a.ndim(), "logsumexp");
  Shape shape = reduced_shape(a.shape(), sorted, keepdims);
  if (is_for_rows(a, sorted)) {
    const Dtype dtype = at_least_float(a.dtype());
    Shape rows = a.shape();
    rows.back() = 1;
    auto primitive = std::make_shared<SoftmaxRows>(SoftmaxRows::Result::kLogSumExp);
    const array result =
        make_array(std::move(rows), dtype, std::move(primitive), {astype(a, dtype, s)}, s);
    return reshape(result, std::move(shape), s);
  }
  const array highest = max(a, sorted, true, s);
  const array sums = log(sum(exp(subtract(a, highest, s), s), sorted, true, s), s);
  const array result = where(isinf(highest, s), highest, add(sums, highest, s), s);
  return reshape(result, std::move(shape), s);
}

array logsumexp(const array& a, bool keepdims, StreamOrDevice s) {
  return logsumexp(a, all_axes(a.ndim()), keepdims, s);
}
array logsumexp(const array& a, int axis, bool keepdims, StreamOrDevice s) {
  return logsumexp(a, std::vector<int>{axis}, keepdims, s);
}

}  // namespace assay
