// Kernels that the user writes in MSL.
#include "arguments.h"
#include "assay/fast.h"
#include "bindings.h"
#include "convert.h"

namespace assay::python {
namespace {

using TemplateArguments = std::vector<std::pair<std::string, fast::TemplateArg>>;
using Extent = std::tuple<int, int, int>;

fast::TemplateArg to_template_argument(py::handle value) {
  if (PyBool_Check(value.ptr())) return value.cast<bool>();
  if (PyLong_Check(value.ptr())) return value.cast<int>();
  if (py::isinstance<Dtype>(value)) return value.cast<Dtype>();
  throw std::invalid_argument(
      "[metal_kernel] Invalid template argument. Must be `mlx.core.Dtype`, `int` or `bool`.");
}

// False is no wish: what the program as a whole is checked for stays.
std::string to_checks(const std::variant<bool, std::string>& check) {
  if (const bool* all = std::get_if<bool>(&check)) return *all ? "all" : "";
  return std::get<std::string>(check);
}

struct CustomKernel {
  fast::CustomKernelFunction function;

  std::vector<array> call(
      const std::vector<Operand>& inputs, const std::vector<ShapeArgument>& output_shapes,
      const std::vector<Dtype>& output_dtypes, Extent grid, Extent threadgroup,
      const std::optional<std::vector<std::pair<std::string, py::object>>>& template_arguments,
      std::optional<float> init_value, bool verbose, StreamOrDevice stream,
      const std::variant<bool, std::string>& check) const {
    std::vector<Shape> shapes;
    for (const ShapeArgument& shape : output_shapes) shapes.push_back(shape.shape);
    TemplateArguments arguments;
    if (template_arguments) {
      for (const auto& [name, value] : *template_arguments) {
        arguments.emplace_back(name, to_template_argument(value));
      }
    }
    std::optional<fast::CheckedCalls> checked;
    if (const std::string wished = to_checks(check); !wished.empty()) checked.emplace(wished);
    return function(to_arrays(inputs), shapes, output_dtypes, grid, threadgroup, arguments,
                    init_value, verbose, stream);
  }
};

CustomKernel make_kernel(const std::string& name, const std::vector<std::string>& input_names,
                         const std::vector<std::string>& output_names, const std::string& source,
                         const std::string& header, bool ensure_row_contiguous, bool atomic_outputs,
                         const py::object& compile_options) {
  std::unordered_map<std::string, std::string> options;
  if (!compile_options.is_none()) {
    if (!py::isinstance<py::dict>(compile_options)) {
      throw std::invalid_argument("[metal_kernel] Expected `compile_options` to be a dict.");
    }
    for (const auto& [key, value] : compile_options.cast<py::dict>()) {
      options[py::str(key)] = py::str(value);
    }
  }
  return {fast::metal_kernel(name, input_names, output_names, source, header, ensure_row_contiguous,
                             atomic_outputs, options)};
}

PyObject* hint_category = nullptr;  // lives as long as the module

// As a warning of Python, so that the user's filters decide what becomes of it.
void warn(const std::string& hint) {
  const py::gil_scoped_acquire lock;
  if (PyErr_WarnEx(hint_category, hint.c_str(), 1) != 0) throw py::error_already_set();
}

}  // namespace

void bind_custom_kernel(py::module_& m) {
  hint_category = PyErr_NewExceptionWithDoc(
      "assay.core.fast.KernelHint", "A custom kernel that runs but may not do what was meant.",
      PyExc_UserWarning, nullptr);
  m.attr("KernelHint") = py::reinterpret_borrow<py::object>(hint_category);
  fast::set_kernel_hint_handler(&warn);
  py::class_<CustomKernel>(m, "CustomKernel", "A kernel made by metal_kernel().")
      .def("__call__", &CustomKernel::call, py::kw_only(), "inputs"_a, "output_shapes"_a,
           "output_dtypes"_a, "grid"_a, "threadgroup"_a, "template"_a = py::none(),
           "init_value"_a = py::none(), "verbose"_a = false, "stream"_a = py::none(),
           "check"_a = false,
           "Runs the kernel with a grid of threads; returns the list of outputs.\n\n"
           "check=True, or names as in ASSAY_CHECK (\"bounds,races\", \"all,-nonfinite\"), runs\n"
           "this call with every access watched. What is wrong is raised as RuntimeError when the\n"
           "outputs are evaluated: the kernel's line, the thread, the element, and how to fix it.\n"
           "Other calls stay as they are.");
  m.def("metal_kernel", &make_kernel, "name"_a, "input_names"_a, "output_names"_a, "source"_a,
        "header"_a = "", "ensure_row_contiguous"_a = true, "atomic_outputs"_a = false,
        "compile_options"_a = py::none(),
        "A kernel from the body of an MSL function. Its signature is made from the names and from\n"
        "the attributes, such as thread_position_in_grid, that the body mentions.");
}

}  // namespace assay::python
