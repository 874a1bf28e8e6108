// What scripts ask about Metal.
#include "assay/metal.h"

#include "assay/labels.h"

#include "arguments.h"
#include "bindings.h"
#include "device_info.h"

namespace assay::python {

namespace {

metal::CaptureDetail parse_detail(const std::string& detail) {
  if (detail == "full") return metal::CaptureDetail::full;
  if (detail == "skeleton") return metal::CaptureDetail::skeleton;
  if (detail == "timeline") return metal::CaptureDetail::timeline;
  throw std::invalid_argument(
      "[metal.capture] detail must be 'full', 'skeleton' or 'timeline', not '" + detail + "'.");
}

// What `with mx.metal.capture(...)` holds.
struct CaptureContext {
  metal::CaptureOptions options;
};

void bind_capture(py::module_& m) {
  using Release = py::call_guard<py::gil_scoped_release>;
  m.def(
      "start_capture", [](std::string path) { metal::start_capture(std::move(path)); },
      "path"_a = "", Release(),
      "Start a capture of all work into the file `path`, which must not exist. Needs "
      "MTL_CAPTURE_ENABLED=1 in the environment. Under `assay view --launch` no path is needed.");
  m.def(
      "stop_capture", [] { metal::stop_capture(); }, Release(),
      "Stop the capture: its work is waited for, and the file is complete.");
  py::class_<CaptureContext>(m, "Capture", "A capture for a `with` statement; see capture().")
      .def("__enter__",
           [](CaptureContext& self) -> CaptureContext& {
             const py::gil_scoped_release release;
             metal::start_capture(self.options);
             return self;
           })
      .def(
          "__exit__",
          [](CaptureContext&, const py::object&, const py::object&, const py::object&) {
            const py::gil_scoped_release release;
            metal::stop_capture();
          },
          "type"_a = py::none(), "value"_a = py::none(), "traceback"_a = py::none())
      .def_property_readonly("path", [](const CaptureContext& self) { return self.options.path; });
  m.def(
      "capture",
      [](std::string path, const std::string& detail, std::optional<Stream> stream,
         std::string name) {
        return CaptureContext{
            {std::move(path), parse_detail(detail), std::move(stream), std::move(name)}};
      },
      "path"_a = "", py::kw_only(), "detail"_a = "full", "stream"_a = py::none(), "name"_a = "",
      "Capture the work inside a `with` statement into the file `path`. `detail` is 'full' (can be "
      "replayed), 'skeleton' (no contents of buffers) or 'timeline'; `stream` and `name` (a part "
      "of "
      "a kernel's or operation's name) leave out everything else.");
}

// What `with mx.metal.label(...)` holds.
struct LabelContext {
  std::string label;
  std::optional<metal::LabelScope> scope;
};

void bind_labels(py::module_& m) {
  m.def(
      "set_label", [](const array& a, std::string label) { metal::set_label(a, std::move(label)); },
      "a"_a, "label"_a,
      "Name an array: traces and reports of checks show the name, also for views of it. An empty "
      "label takes it away.");
  m.def(
      "set_label",
      [](const Stream& stream, std::string label) { metal::set_label(stream, std::move(label)); },
      "stream"_a, "label"_a, "Name a stream, for its work from now on.");
  py::class_<LabelContext>(m, "Label", "A label for a `with` statement; see label().")
      .def("__enter__",
           [](LabelContext& self) -> LabelContext& {
             self.scope.emplace(self.label);
             return self;
           })
      .def(
          "__exit__",
          [](LabelContext& self, const py::object&, const py::object&, const py::object&) {
            self.scope.reset();
          },
          "type"_a = py::none(), "value"_a = py::none(), "traceback"_a = py::none());
  m.def(
      "label", [](std::string label) { return std::make_unique<LabelContext>(std::move(label)); },
      "label"_a,
      "Label the command buffers of what this thread evaluates inside a `with` statement. Labels "
      "inside one another are joined: 'step 3/attention'.");
}

}  // namespace

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
  bind_capture(submodule);
  bind_labels(submodule);
}

}  // namespace assay::python
