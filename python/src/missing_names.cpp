// What mx.NAME says where there is no such name.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "arguments.h"
#include "bindings.h"

namespace assay::python {
namespace {

// Names of mlx.core that are not here.
constexpr std::string_view kOfMlx[] = {"bartlett",
                                       "blackman",
                                       "block_masked_mm",
                                       "checkpoint",
                                       "conv1d",
                                       "conv2d",
                                       "conv3d",
                                       "conv_general",
                                       "conv_transpose1d",
                                       "conv_transpose2d",
                                       "conv_transpose3d",
                                       "convolve",
                                       "custom_function",
                                       "depends",
                                       "dequantize",
                                       "distributed",
                                       "export_function",
                                       "export_to_dot",
                                       "exporter",
                                       "fft",
                                       "from_fp8",
                                       "gather_mm",
                                       "gather_qmm",
                                       "gather_qqmm",
                                       "grad",
                                       "hadamard_transform",
                                       "hamming",
                                       "hanning",
                                       "import_function",
                                       "jvp",
                                       "linalg",
                                       "qqmm",
                                       "quantize",
                                       "quantized_matmul",
                                       "save_gguf",
                                       "segmented_mm",
                                       "to_fp8",
                                       "value_and_grad",
                                       "vjp",
                                       "vmap"};

// The same for parts of it.
constexpr std::string_view kOfParts[] = {"fast.cuda_kernel", "fast.precompiled_cuda_kernel",
                                         "random.multivariate_normal"};

// Names of NumPy and PyTorch that mean the same.
constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
    {"absolute", "abs"},        {"amax", "max"},           {"amin", "min"},
    {"asarray", "array"},       {"bmm", "matmul"},         {"cat", "concatenate"},
    {"double", "float64"},      {"fabs", "abs"},           {"float", "float32"},
    {"half", "float16"},        {"hstack", "concatenate"}, {"int", "int32"},
    {"inverse", "reciprocal"},  {"long", "int64"},         {"mm", "matmul"},
    {"mod", "remainder"},       {"mul", "multiply"},       {"neg", "negative"},
    {"permute", "transpose"},   {"pow", "power"},          {"rand", "random.uniform"},
    {"randn", "random.normal"}, {"sub", "subtract"},       {"tensor", "array"},
    {"true_divide", "divide"},  {"vstack", "concatenate"}};

std::string find_similar(const std::string& name, const py::module_& m) {
  const auto* known = std::ranges::find(kElsewhere, std::string_view(name),
                                        [](const auto& entry) { return entry.first; });
  if (known != std::end(kElsewhere)) return std::string(known->second);
  const py::list close = py::module_::import("difflib").attr("get_close_matches")(
      name, py::list(m.attr("__dict__").attr("keys")()), 1, 0.7);
  return close.empty() ? "" : std::string(py::str(close[0]));
}

std::string explain(const std::string& module, const std::string& name) {
  const bool is_core = module == "core";
  const std::string known = is_core ? name : module + "." + name;
  const std::span<const std::string_view> others =
      is_core ? std::span<const std::string_view>(kOfMlx) : kOfParts;
  if (std::ranges::find(others, known) != others.end()) {
    return "assay does not have mlx.core." + known + " yet.";
  }
  const std::string path = is_core ? "assay.core" : "assay.core." + module;
  std::string text = "module '" + path + "' has no attribute '" + name + "'";
  // Python and its tools ask for names of their own.
  if (name.starts_with('_')) return text;
  py::object core = py::module_::import("assay.core");
  const py::module_ asked = is_core ? core : core.attr(module.c_str());
  const std::string similar = find_similar(name, asked);
  if (!similar.empty()) text += ". Did you mean: '" + similar + "'?";
  return text;
}

}  // namespace

void refuse_missing_name(const std::string& module, const std::string& name) {
  throw py::attribute_error(explain(module, name));
}

void bind_missing_names(py::module_& m) {
  const auto bind = [](py::module_ module, const std::string& known) {
    module.def(
        "__getattr__",
        [known](const std::string& name) -> py::object { refuse_missing_name(known, name); },
        "name"_a);
  };
  bind(m, "core");
  for (const char* part : {"fast", "metal"}) bind(m.attr(part), part);
}

}  // namespace assay::python
