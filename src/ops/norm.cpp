// fast::rms_norm and fast::layer_norm.
#include <stdexcept>

#include "array/primitive.h"
#include "assay/fast.h"
#include "assay/ops.h"
#include "fmt/format.h"
#include "ops/element_types.h"
#include "ops/kernel_texts.h"

namespace assay::fast {
namespace {

// As in kernels/norm.metal.
struct Norm {
  uint32_t length;
  float eps;
  uint32_t has_weight, has_bias;
};

// Inputs: x, weight, bias; the latter two scalars where they are not given.
class NormRows final : public Primitive {
 public:
  NormRows(std::string_view name, float eps) : name_(name), eps_(eps) {}

  std::string_view name() const override { return name_; }
  void encode(std::span<const array> inputs, std::span<array> outputs,
              Encoder& encoder) const override;
  std::optional<std::vector<Shape>> infer_shapes(std::span<const array> inputs) const override {
    for (const array& each : inputs.subspan(1)) {
      if (each.ndim() == 1 && each.shape(0) != inputs[0].shape(-1)) return {};
    }
    return {{inputs[0].shape()}};
  }
  bool is_same(const Primitive& other) const override {
    const auto* same = dynamic_cast<const NormRows*>(&other);
    return same && same->name_ == name_ && same->eps_ == eps_;
  }

 private:
  const std::string_view name_;  // a literal, and the kernel's name
  const float eps_;
};

void NormRows::encode(std::span<const array> inputs, std::span<array> outputs,
                      Encoder& encoder) const {
  encoder.allocate_or_reuse(outputs[0], inputs.subspan(0, 1));
  if (outputs[0].size() == 0) return;
  const array x = encoder.make_row_contiguous(inputs[0]);
  const array weight = encoder.make_row_contiguous(inputs[1]);
  const array bias = encoder.make_row_contiguous(inputs[2]);
  const auto length = static_cast<uint32_t>(x.shape().back());
  const auto rows = static_cast<uint32_t>(x.size() / length);
  const std::string key = fmt::format("{}:{}", name_, short_name(x.dtype()));
  Arguments arguments;
  arguments.input(x).input(weight).input(bias).output(outputs[0]);
  arguments.value(Norm{.length = length,
                       .eps = eps_,
                       .has_weight = weight.ndim() == 1 ? 1u : 0u,
                       .has_bias = bias.ndim() == 1 ? 1u : 0u});
  encoder.dispatch({.key = key,
                    .source =
                        [type = std::string(msl_type(x.dtype()))] {
                          return fmt::format(
                              "#include <metal_stdlib>\nusing namespace metal;\nusing T = {};\n{}",
                              type, ops::kernel_text("norm"));
                        },
                    .name = name_},
                   arguments,
                   kernel::LaunchSize::threads({32, rows, 1}, {32, std::min(rows, 8u), 1}));
}

void require_vector(std::string_view call, std::string_view name, const array& vector,
                    const array& x) {
  if (vector.ndim() != 1) {
    throw std::invalid_argument(fmt::format("[{}] {} must have 1 dimension but has {} dimensions.",
                                            call, name, vector.ndim()));
  }
  if (vector.shape(0) != x.shape(-1)) {
    throw std::invalid_argument(fmt::format(
        "[{}] {} must have the same size as the last dimension of x but has {} elements.", call,
        name, vector.size()));
  }
}

array normalise(std::string_view call, const array& x, const std::optional<array>& weight,
                const std::optional<array>& bias, float eps, const StreamOrDevice& s) {
  if (x.ndim() == 0) {
    throw std::invalid_argument(fmt::format(
        "[{}] Input must have at least 1 dimension but got input with 0 dimensions.", call));
  }
  Dtype dtype = x.dtype();
  for (const auto& [vector, name] : {std::pair{&weight, "weight"}, std::pair{&bias, "bias"}}) {
    if (!*vector) continue;
    require_vector(call, name, **vector, x);
    dtype = promote_types(dtype, (*vector)->dtype());
  }
  if (!issubdtype(dtype, floating)) {
    throw std::invalid_argument(
        fmt::format("[{}] Received unsupported type {}.", call, dtype_name(dtype)));
  }
  const auto given = [&](const std::optional<array>& vector) {
    return vector ? astype(*vector, dtype, s) : array(0.0f, dtype);
  };
  return make_array(x.shape(), dtype, std::make_shared<NormRows>(call, eps),
                    {astype(x, dtype, s), given(weight), given(bias)}, s);
}

}  // namespace

array rms_norm(const array& x, const std::optional<array>& weight, float eps, StreamOrDevice s) {
  return normalise("rms_norm", x, weight, std::nullopt, eps, s);
}

array layer_norm(const array& x, const std::optional<array>& weight,
                 const std::optional<array>& bias, float eps, StreamOrDevice s) {
  return normalise("layer_norm", x, weight, bias, eps, s);
}

}  // namespace assay::fast
