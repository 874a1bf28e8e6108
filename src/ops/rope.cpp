// fast::rope.
#include <cmath>
#include <stdexcept>

#include "array/primitive.h"
#include "assay/fast.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/elementwise.h"
#include "ops/kernel_texts.h"

namespace assay::fast {
namespace {

// As in kernels/rope.metal.
struct Rope {
  uint32_t width, pairs, length, heads, heads_together, offsets;
  uint32_t has_frequencies;
  float scale, log_base;
};

// Enough that sines cost less than memory, few enough that short inputs use all threads.
constexpr uint32_t kHeadsTogether = 8;

struct Options {
  int dims;
  bool traditional;
  float base;
  float scale;
  bool operator==(const Options&) const = default;
};

// Inputs: x, offset and, if given, the frequencies.
class RopeRows final : public Primitive {
 public:
  explicit RopeRows(const Options& options) : options_(options) {}

  std::string_view name() const override { return "rope"; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    const array &x = inputs[0], &offset = inputs[1];
    if (options_.dims > x.shape(-1)) return {};
    if (offset.size() != 1 && offset.shape() != Shape{x.shape(0)}) return {};
    if (inputs.size() == 3 && inputs[2].shape() != Shape{options_.dims / 2}) return {};
    return {{x.shape()}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const RopeRows*>(&other);
    return same && same->options_ == options_;
  }

 private:
  const Options options_;
};

void RopeRows::encode(std::span<const array> inputs, std::span<array> outputs,
                      Encoder& encoder) const {
  encoder.allocate_or_reuse(outputs[0], inputs.subspan(0, 1));
  if (outputs[0].size() == 0) return;
  const array x = encoder.make_row_contiguous(inputs[0]);
  const array offset = encoder.make_row_contiguous(inputs[1]);
  const array frequencies = encoder.make_row_contiguous(inputs.back());
  const auto pairs = static_cast<uint32_t>(options_.dims / 2);
  const auto width = static_cast<uint32_t>(x.shape(-1));
  const auto length = static_cast<uint32_t>(x.shape(-2));
  const auto matrices = static_cast<uint32_t>(x.size() / width / length);
  const Rope rope{.width = width,
                  .pairs = pairs,
                  .length = length,
                  .heads = matrices / static_cast<uint32_t>(x.shape(0)),
                  .heads_together = kHeadsTogether,
                  .offsets = static_cast<uint32_t>(offset.size()),
                  .has_frequencies = inputs.size() == 3 ? 1u : 0u,
                  .scale = options_.scale,
                  .log_base = std::log(options_.base) / static_cast<float>(pairs)};
  Arguments arguments;
  arguments.input(x).input(offset).input(frequencies).output(outputs[0]).value(rope);
  const std::string_view kernel_name = options_.traditional ? "rope_traditional" : "rope";
  const std::string key = fmt::format("{}:{}", kernel_name, short_name(x.dtype()));
  const uint32_t columns = width - pairs;
  const uint32_t groups = (rope.heads + kHeadsTogether - 1) / kHeadsTogether;
  const uint32_t batch = matrices / rope.heads;
  encoder.dispatch({.key = key,
                    .source =
                        [type = std::string(msl_type(x.dtype()))] {
                          return fmt::format(
                              "#include <metal_stdlib>\nusing namespace metal;\nusing T = {};\n{}",
                              type, ops::kernel_text("rope"));
                        },
                    .name = kernel_name},
                   arguments,
                   kernel::LaunchSize::threads({columns, length, batch * groups},
                                               {std::min(columns, 1024u), 1, 1}));
}

template <typename... Values>
void require(bool holds, fmt::format_string<Values...> text, Values&&... values) {
  if (holds) return;
  throw std::invalid_argument("[rope] " + fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace

array rope(const array& x, int dims, bool traditional, std::optional<float> base, float scale,
           const array& offset, const std::optional<array>& freqs, StreamOrDevice s) {
  require(!base || !freqs, "Only one of base or freqs can have a value.");
  require(base || freqs, "Neither base nor freqs has a value.");
  require(x.ndim() >= 3, "Input must have at least 3 dimensions but got input with {} dimensions.",
          x.ndim());
  require(issubdtype(x.dtype(), floating), "Input must be a floating type but got {}.",
          dtype_name(x.dtype()));
  require(offset.ndim() <= 1, "offset must have at most one dimension but has shape {}.",
          describe_shape(offset.shape()));
  require(offset.size() == 1 || offset.size() == static_cast<size_t>(x.shape(0)),
          "offset must be a scalar or vector with {} elements but has shape {}.", x.shape(0),
          describe_shape(offset.shape()));
  require(issubdtype(offset.dtype(), integer), "offset must be an integer but got type {}.",
          dtype_name(offset.dtype()));
  require(dims > 0, "dims must be positive but got {}.", dims);
  require(dims % 2 == 0, "dims must be even but got {}.", dims);
  require(dims <= x.shape(-1), "dims must not exceed the input's last dimension ({}) but got {}.",
          x.shape(-1), dims);
  std::vector<array> inputs{x, astype(offset, int32, s)};
  if (freqs) {
    require(freqs->shape() == Shape{dims / 2},
            "freqs must be one dimensional with size {} but got shape {}.", dims / 2,
            describe_shape(freqs->shape()));
    inputs.push_back(astype(*freqs, float32, s));
  }
  const Options options{dims, traditional, base.value_or(1.0f), scale};
  return make_array(x.shape(), x.dtype(), std::make_shared<RopeRows>(options), std::move(inputs),
                    s);
}

array rope(const array& x, int dims, bool traditional, std::optional<float> base, float scale,
           int offset, const std::optional<array>& freqs, StreamOrDevice s) {
  return rope(x, dims, traditional, base, scale, array(offset, int32), freqs, s);
}

}  // namespace assay::fast
