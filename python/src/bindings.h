// The parts of the Python module; each function adds one subject to it. Bindings convert arguments
// and results and leave all work to the C++ library.
#pragma once

#include "array_caster.h"
#include "assay/array.h"
#include "pybind11/pybind11.h"

namespace assay::python {

namespace py = pybind11;

void bind_dtype(py::module_& m);
void bind_device(py::module_& m);
void bind_stream(py::module_& m);
void bind_array(py::module_& m);
void bind_array_operators(py::class_<array>& cls);
// After the functions: methods are the functions with the array in front.
void bind_array_methods(py::module_& m);
// After the operators, which define the slots anew.
void install_array_slots();
void bind_print(py::module_& m);
void bind_elementwise(py::module_& m);
void bind_creation(py::module_& m);
void bind_shape(py::module_& m);
void bind_rearrange(py::module_& m);
void bind_reduction(py::module_& m);
void bind_order(py::module_& m);
void bind_linear(py::module_& m);
void bind_random(py::module_& m);
void bind_fast(py::module_& m);
void bind_custom_kernel(py::module_& fast);
void bind_metal(py::module_& m);
void bind_memory(py::module_& m);
void bind_transforms(py::module_& m);
void bind_compile(py::module_& m);
void bind_files(py::module_& m);
void bind_missing_names(py::module_& m);
// What asking the module, whose name is "core", "random" and so on, for that name ends with.
[[noreturn]] void refuse_missing_name(const std::string& module, const std::string& name);
void bind_other_backends(py::module_& m);
void bind_constants(py::module_& m);
void install_call_sites();

}  // namespace assay::python
