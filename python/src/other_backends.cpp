// What scripts ask about places that are not there: CUDA arrays, and other processes. A program for
// many processes runs as the only one.
#include "arguments.h"
#include "assay/ops.h"
#include "bindings.h"

namespace assay::python {
namespace {

struct Group {};

Group join(bool strict, const std::string&) {
  if (strict) throw std::runtime_error("[distributed] There is no other process to work with.");
  return {};
}

void bind_distributed(py::module_& m) {
  py::class_<Group>(m, "Group", "The processes that work together: this one.")
      .def(
          "rank", [](const Group&) { return 0; }, "The number of this process.")
      .def("size", [](const Group&) { return 1; }, "How many processes there are.");
  m.def(
      "is_available", [](const std::string&) { return false; }, "backend"_a = "any",
      "Whether processes can work together.");
  m.def("init", &join, "strict"_a = false, "backend"_a = "any", "The group of this process alone.");
  for (const char* name : {"all_sum", "all_max", "all_min", "all_gather", "sum_scatter"}) {
    m.def(
        name,
        [](const array& x, const std::optional<Group>&, StreamOrDevice stream) {
          return positive(x, stream);
        },
        "x"_a, py::kw_only(), "group"_a = py::none(), "stream"_a = py::none(),
        "The array itself: the group has one process.");
  }
}

}  // namespace

void bind_other_backends(py::module_& m) {
  m.def_submodule("cuda", "The CUDA back-end of MLX.")
      .def("is_available", [] { return false; }, "Whether MLX's CUDA back-end is there: never.");
  py::module_ distributed = m.def_submodule("distributed", "Work of several processes.");
  bind_distributed(distributed);
}

}  // namespace assay::python
