// Kernels that the user writes in MSL.
#include "arguments.h"
#include "assay/fast.h"
#include "bindings.h"
#include "convert.h"
#include "given.h"

namespace assay::python {
namespace {

using TemplateArguments = std::vector<std::pair<std::string, fast::TemplateArg>>;
using Extent = std::tuple<int, int, int>;

template <typename T>
T to_argument(py::handle value, const char* name, const char* expected) {
  return convert_given<T>(value, "metal_kernel", name, expected);
}

fast::TemplateArg to_template_argument(const std::string& name, py::handle value) {
  if (PyBool_Check(value.ptr())) return value.cast<bool>();
  if (PyLong_Check(value.ptr())) {
    return to_argument<int>(value, ("template=[…, ('" + name + "', …)]").c_str(),
                            "an integer of 32 bits");
  }
  if (py::isinstance<Dtype>(value)) return value.cast<Dtype>();
  throw std::invalid_argument("[metal_kernel] Invalid template argument '" + name +
                              "': " + describe_value(value) +
                              ". Must be `mlx.core.Dtype`, `int` or `bool`.");
}

using GivenTemplate = std::optional<std::vector<std::pair<std::string, py::object>>>;

TemplateArguments to_template(py::handle given) {
  const auto values = to_argument<GivenTemplate>(
      given, "template", "a list of pairs such as [(\"T\", mx.float32), (\"N\", 4)]");
  TemplateArguments arguments;
  if (!values) return arguments;
  for (const auto& [name, value] : *values) {
    arguments.emplace_back(name, to_template_argument(name, value));
  }
  return arguments;
}

// A string would be a list of its letters.
std::vector<std::string> to_names(py::handle value, const char* argument) {
  constexpr const char* kExpected = "a list of strings such as [\"x\"]";
  if (PyUnicode_Check(value.ptr())) {
    refuse_argument("metal_kernel", argument, kExpected, value);
  }
  return to_argument<std::vector<std::string>>(value, argument, kExpected);
}

// False is no wish: what the program as a whole is checked for stays.
std::string to_checks(const std::variant<bool, std::string>& check) {
  if (const bool* all = std::get_if<bool>(&check)) return *all ? "all" : "";
  return std::get<std::string>(check);
}

struct CustomKernel {
  fast::CustomKernelFunction function;

  std::vector<array> call(const Given<std::vector<Operand>>& inputs,
                          const Given<std::vector<ShapeArgument>>& output_shapes,
                          const Given<std::vector<Dtype>>& output_dtypes, const Given<Extent>& grid,
                          const Given<Extent>& threadgroup,
                          const Given<GivenTemplate>& template_arguments,
                          const Given<std::optional<float>>& init_value, bool verbose,
                          StreamOrDevice stream,
                          const std::variant<bool, std::string>& check) const {
    // Held while its items are used; those of an array would be made for the moment.
    constexpr const char* kInputs = "a list of arrays and numbers";
    if (is_array(inputs.value)) {
      refuse_argument("metal_kernel", "inputs", kInputs, inputs.value);
    }
    const auto items = to_argument<py::sequence>(inputs.value, "inputs", kInputs);
    const auto given = to_argument<std::vector<Operand>>(items, "inputs", kInputs);
    std::vector<Shape> shapes;
    for (const ShapeArgument& shape : to_argument<std::vector<ShapeArgument>>(
             output_shapes.value, "output_shapes", "a list of shapes such as [(8, 4)]")) {
      shapes.push_back(shape.shape);
    }
    const auto dtypes = to_argument<std::vector<Dtype>>(output_dtypes.value, "output_dtypes",
                                                        "a list of dtypes such as [mx.float32]");
    constexpr const char* kExtent = "three integers such as (64, 1, 1)";
    const auto threads = to_argument<Extent>(grid.value, "grid", kExtent);
    const auto group = to_argument<Extent>(threadgroup.value, "threadgroup", kExtent);
    const auto initial =
        to_argument<std::optional<float>>(init_value.value, "init_value", "a number or None");
    const TemplateArguments arguments = to_template(template_arguments.value);
    std::optional<fast::CheckedCalls> checked;
    if (const std::string wished = to_checks(check); !wished.empty()) checked.emplace(wished);
    return function(to_arrays(given), shapes, dtypes, threads, group, arguments, initial, verbose,
                    stream);
  }
};

CustomKernel make_kernel(const Given<std::string>& name,
                         const Given<std::vector<std::string>>& input_names,
                         const Given<std::vector<std::string>>& output_names,
                         const Given<std::string>& source, const Given<std::string>& header,
                         bool ensure_row_contiguous, bool atomic_outputs,
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
  return {fast::metal_kernel(to_argument<std::string>(name.value, "name", "a string"),
                             to_names(input_names.value, "input_names"),
                             to_names(output_names.value, "output_names"),
                             to_argument<std::string>(source.value, "source", "a string"),
                             to_argument<std::string>(header.value, "header", "a string"),
                             ensure_row_contiguous, atomic_outputs, options)};
}

// Left out, it is named in the message.
py::arg_v needed(const char* name) { return py::arg_v(name, py::none(), "..."); }

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
      .def("__call__", &CustomKernel::call, py::kw_only(), needed("inputs"),
           needed("output_shapes"), needed("output_dtypes"), needed("grid"), needed("threadgroup"),
           "template"_a = py::none(), "init_value"_a = py::none(), "verbose"_a = false,
           "stream"_a = py::none(), "check"_a = false,
           "Runs the kernel with a grid of threads; returns the list of outputs.\n\n"
           "check=True, or names as in ASSAY_CHECK (\"bounds,races\", \"all,-nonfinite\"), runs\n"
           "this call with every access watched. What is wrong is raised as RuntimeError when the\n"
           "outputs are evaluated: the kernel's line, the thread, the element, and how to fix it.\n"
           "Other calls stay as they are.");
  m.def("metal_kernel", &make_kernel, needed("name"), needed("input_names"), needed("output_names"),
        needed("source"), "header"_a = "", "ensure_row_contiguous"_a = true,
        "atomic_outputs"_a = false, "compile_options"_a = py::none(),
        "A kernel from the body of an MSL function. Its signature is made from the names and from\n"
        "the attributes, such as thread_position_in_grid, that the body mentions.");
}

}  // namespace assay::python
