// The Python module assay.core.
#include "assay/recording.h"
#include "assay/version.h"
#include "bindings.h"

namespace assay::python {
namespace {

// Python ends itself with a signal after Ctrl-C, without exit().
void finish_recording_at_exit() {
  py::module_::import("atexit").attr("register")(py::cpp_function([] {
    const py::gil_scoped_release released;
    metal::finish_recording();
  }));
}

}  // namespace

PYBIND11_MODULE(core, m) {
  m.doc() = "Lazy arrays, kernel fusion and custom Metal kernels, with the names of mlx.core.";
  bind_dtype(m);
  bind_device(m);
  bind_stream(m);
  bind_array(m);
  bind_print(m);
  bind_constants(m);
  bind_elementwise(m);
  bind_creation(m);
  bind_shape(m);
  bind_rearrange(m);
  bind_reduction(m);
  bind_order(m);
  bind_linear(m);
  bind_random(m);
  bind_fast(m);
  bind_transforms(m);
  bind_compile(m);
  bind_metal(m);
  bind_memory(m);
  bind_files(m);
  bind_other_backends(m);
  bind_array_methods(m);
  bind_missing_names(m);
  install_array_slots();
  m.attr("__version__") = version();
  install_call_sites();
  finish_recording_at_exit();
}

}  // namespace assay::python
