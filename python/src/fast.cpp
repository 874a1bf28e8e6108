// Ops with kernels of their own.
#include "assay/fast.h"

#include "arguments.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

array attend(const array& q, const array& k, const array& v, float scale,
             const std::variant<std::monostate, std::string, array>& mask,
             const std::optional<array>& sinks, bool, StreamOrDevice stream) {
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
