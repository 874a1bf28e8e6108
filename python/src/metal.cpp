// What scripts ask about Metal.
#include "assay/metal.h"

#include "arguments.h"
#include "bindings.h"
#include "device_info.h"

namespace assay::python {

void bind_metal(py::module_& m) {
  py::module_ submodule = m.def_submodule("metal", "The Metal device.");
  submodule.def("is_available", &metal::is_available, "Whether Metal kernels can run: always.");
  submodule.def(
      "device_info",
      [] {
        // The same dictionary each time.
        static const auto* info = new py::dict(to_dict(metal::device_info()));
        return *info;
      },
      "What is known about the device: its name, memory and limits.");
}

}  // namespace assay::python
