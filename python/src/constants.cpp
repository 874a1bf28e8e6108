// Numbers with names.
#include <limits>
#include <numbers>

#include "arguments.h"
#include "bindings.h"

namespace assay::python {

void bind_constants(py::module_& m) {
  m.attr("e") = std::numbers::e;
  m.attr("euler_gamma") = std::numbers::egamma;
  m.attr("pi") = std::numbers::pi;
  m.attr("inf") = std::numeric_limits<double>::infinity();
  m.attr("nan") = std::numeric_limits<double>::quiet_NaN();
  m.attr("newaxis") = py::none();
}

}  // namespace assay::python
