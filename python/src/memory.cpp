// Memory of arrays.
#include "assay/memory.h"

#include "arguments.h"
#include "bindings.h"

namespace assay::python {
namespace {

// Where these functions were before: programs of that time still say mx.metal.
void bind_old_names(py::module_& m) {
  py::module_ metal = m.attr("metal");
  for (const char* name :
       {"get_active_memory", "get_peak_memory", "reset_peak_memory", "get_cache_memory",
        "set_memory_limit", "set_cache_limit", "set_wired_limit", "clear_cache"}) {
    const std::string doc = "The old name of mx." + std::string(name) + ".";
    metal.def(
        name,
        [name, function = m.attr(name)](const py::args& args, const py::kwargs& kwargs) {
          const std::string text =
              std::string("mx.metal.") + name + " is deprecated; use mx." + name + ".";
          if (PyErr_WarnEx(PyExc_DeprecationWarning, text.c_str(), 1) != 0) {
            throw py::error_already_set();
          }
          return function(*args, **kwargs);
        },
        doc.c_str());
  }
}

}  // namespace

void bind_memory(py::module_& m) {
  m.def("get_active_memory", &get_active_memory, "Bytes that arrays hold.");
  m.def("get_peak_memory", &get_peak_memory, "The most bytes that arrays held at once.");
  m.def("reset_peak_memory", &reset_peak_memory, "Starts to measure the peak anew.");
  m.def("get_cache_memory", &get_cache_memory, "Bytes kept for later arrays.");
  m.def("set_memory_limit", &set_memory_limit, "limit"_a,
        "Sets how many bytes arrays should hold at most; returns the limit before.");
  m.def("get_memory_limit", &get_memory_limit, "How many bytes arrays should hold at most.");
  m.def("set_cache_limit", &set_cache_limit, "limit"_a,
        "Sets how many bytes are kept for later arrays; returns the limit before.");
  m.def("set_wired_limit", &set_wired_limit, "limit"_a,
        "Has no effect on this system; returns the limit before.");
  m.def("clear_cache", &clear_cache, "Gives memory kept for later arrays back to the system.");
  bind_old_names(m);
}

}  // namespace assay::python
