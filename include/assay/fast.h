// Ops with kernels of their own for speed, and kernels written by the user in MSL.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "assay/array.h"

namespace assay::fast {

ASSAY_API array rms_norm(const array& x, const std::optional<array>& weight, float eps,
                         StreamOrDevice s = {});
ASSAY_API array layer_norm(const array& x, const std::optional<array>& weight,
                           const std::optional<array>& bias, float eps, StreamOrDevice s = {});
ASSAY_API array rope(const array& x, int dims, bool traditional, std::optional<float> base,
                     float scale, int offset, const std::optional<array>& freqs = std::nullopt,
                     StreamOrDevice s = {});
ASSAY_API array rope(const array& x, int dims, bool traditional, std::optional<float> base,
                     float scale, const array& offset,
                     const std::optional<array>& freqs = std::nullopt, StreamOrDevice s = {});
// softmax(scale * q @ kᵀ + mask) @ v over (batch, heads, length, width); mask_mode "causal" or "".
ASSAY_API array scaled_dot_product_attention(const array& queries, const array& keys,
                                             const array& values, float scale,
                                             const std::string& mask_mode = "",
                                             std::optional<array> mask = std::nullopt,
                                             const std::optional<array>& sinks = std::nullopt,
                                             StreamOrDevice s = {});

using TemplateArg = std::variant<int, bool, Dtype>;

// A kernel object: the arguments are inputs, output shapes, output dtypes, grid (in threads),
// threadgroup, template arguments, initial value of the outputs, verbose, stream.
using CustomKernelFunction = std::function<std::vector<array>(
    const std::vector<array>&, const std::vector<Shape>&, const std::vector<Dtype>&,
    std::tuple<int, int, int>, std::tuple<int, int, int>,
    std::vector<std::pair<std::string, TemplateArg>>, std::optional<float>, bool, StreamOrDevice)>;

// `source` is the body of an MSL kernel; the signature is made from the names and from the
// attributes that the body mentions.
ASSAY_API CustomKernelFunction metal_kernel(
    const std::string& name, const std::vector<std::string>& input_names,
    const std::vector<std::string>& output_names, const std::string& source,
    const std::string& header = "", bool ensure_row_contiguous = true, bool atomic_outputs = false,
    const std::unordered_map<std::string, std::string>& compile_options = {});

// While it lives, every call of a kernel object by this thread is checked: the kernel runs with all
// its accesses watched, and what is wrong makes evaluating its outputs throw, with the line and how
// to fix it. Other calls are not touched. `checks` are names as in ASSAY_CHECK: "all",
// "bounds,races", "all,-nonfinite"; unknown ones make the calls throw. Scopes nest; "" checks
// nothing.
class ASSAY_API CheckedCalls {
 public:
  explicit CheckedCalls(std::string checks = "all");
  ~CheckedCalls();
  CheckedCalls(const CheckedCalls&) = delete;
  CheckedCalls& operator=(const CheckedCalls&) = delete;

 private:
  std::string outer_;
};

// Hears of kernels that run but probably do not do what was meant: a grid that leaves outputs
// unwritten, sums in half. Each hint comes once per kernel object, before the launch. Without a
// handler nobody is told. It may throw.
using KernelHintHandler = void (*)(const std::string& hint);
ASSAY_API void set_kernel_hint_handler(KernelHintHandler handler);

}  // namespace assay::fast
