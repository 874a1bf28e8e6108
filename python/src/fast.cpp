// Ops with kernels of their own.
#include "assay/fast.h"

#include <algorithm>
#include <array>

#include "arguments.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

// What MLX has fused kernels for. Ours takes everything; a program that asks for a fused kernel
// learns here that it would not get one there.
void check_fused(const array& q, const array& k, bool is_causal, const StreamOrDevice& stream) {
  constexpr std::array kHeadDims = {64, 80, 96, 128, 192, 256};
  constexpr int kVectorQueries = 8, kMaxRows = 32;
  auto refuse = [](const std::string& why) {
    throw std::invalid_argument("[scaled_dot_product_attention] force_fused: " + why);
  };
  if (to_stream(stream).device == Device::cpu) refuse("fused kernels require a GPU.");
  if (q.ndim() != 4 || k.ndim() != 4) return;  // the op has a message of its own
  const int queries = q.shape(2), keys = k.shape(2);
  if (std::find(kHeadDims.begin(), kHeadDims.end(), q.shape(3)) == kHeadDims.end()) {
    refuse("the fused kernel supports head dims 64, 80, 96, 128, 192 and 256, not " +
           std::to_string(q.shape(3)) + ".");
  }
  const int factor = k.shape(1) == 0 ? 0 : q.shape(1) / k.shape(1);
  if (queries <= kVectorQueries && queries * factor > kMaxRows) {
    refuse("up to 8 queries need queries times the GQA factor to be at most 32, not " +
           std::to_string(queries * factor) + ".");
  }
  if (is_causal && queries > keys) {
    refuse("a causal mask needs the query sequence to be no longer than the key sequence.");
  }
}

array attend(const array& q, const array& k, const array& v, float scale,
             const std::variant<std::monostate, std::string, array>& mask,
             const std::optional<array>& sinks, bool force_fused, StreamOrDevice stream) {
  std::string mode;
  std::optional<array> values;
  if (const auto* name = std::get_if<std::string>(&mask)) {
    if (*name != "causal") {
      throw std::invalid_argument("[scaled_dot_product_attention] invalid mask option '" + *name +
                                  "'. Must be 'causal', or an array.");
    }
    mode = *name;
  } else if (const auto* given = std::get_if<array>(&mask)) {
    values = *given;
  }
  if (force_fused) check_fused(q, k, mode == "causal", stream);
  return fast::scaled_dot_product_attention(q, k, v, scale, mode, values, sinks, stream);
}

}  // namespace

void bind_fast(py::module_& parent) {
  py::module_ m =
      parent.def_submodule("fast", "Ops with kernels of their own, and custom kernels.");
  m.def("rms_norm", &fast::rms_norm, "x"_a, "weight"_a, "eps"_a, py::kw_only(),
        "stream"_a = py::none(),
        "The last axis divided by its root mean square, times the weight.");
  m.def("layer_norm", &fast::layer_norm, "x"_a, "weight"_a, "bias"_a, "eps"_a, py::kw_only(),
        "stream"_a = py::none(),
        "The last axis with mean 0 and variance 1, times the weight plus the bias.");
  m.def(
      "rope",
      [](const array& a, int dims, bool traditional, std::optional<float> base, float scale,
         const Operand& offset, const std::optional<array>& freqs, StreamOrDevice stream) {
        if (PyLong_Check(offset.value.ptr())) {
          return fast::rope(a, dims, traditional, base, scale, offset.value.cast<int>(), freqs,
                            stream);
        }
        return fast::rope(a, dims, traditional, base, scale, to_array(offset), freqs, stream);
      },
      "a"_a, "dims"_a, py::kw_only(), "traditional"_a, "base"_a, "scale"_a, "offset"_a,
      "freqs"_a = py::none(), "stream"_a = py::none(), "Rotary positional encoding.");
  m.def("scaled_dot_product_attention", &attend, "q"_a, "k"_a, "v"_a, py::kw_only(), "scale"_a,
        "mask"_a = py::none(), "sinks"_a = py::none(), "force_fused"_a = false,
        "stream"_a = py::none(), "softmax(scale * q @ k.T + mask) @ v, head by head.");
  bind_custom_kernel(m);
}

}  // namespace assay::python
