// Streams, and waiting for them.
#include "assay/stream.h"

#include <memory>
#include <sstream>

#include "arguments.h"
#include "assay/print.h"
#include "bindings.h"
#include "interpreter.h"

namespace assay::python {
namespace {

// StreamContext from __enter__ to __exit__.
class WithStream {
 public:
  explicit WithStream(StreamOrDevice where) : where_(where) {
    if (std::holds_alternative<std::monostate>(where_.target())) {
      throw std::runtime_error(
          "[StreamContext] Invalid argument, please specify a stream or device.");
    }
  }
  void enter() { context_ = std::make_unique<StreamContext>(where_); }
  void exit() { context_.reset(); }

 private:
  StreamOrDevice where_;
  std::unique_ptr<StreamContext> context_;
};

void wait_for(const StreamOrDevice& where) {
  const bool is_given = !std::holds_alternative<std::monostate>(where.target());
  const ReleasedInterpreter released;
  if (is_given) {
    synchronize(to_stream(where));
  } else {
    synchronize();
  }
}

void bind_stream_class(py::module_& m) {
  py::class_<Stream>(m, "Stream", "An order of work on a device; streams run beside each other.")
      .def_readonly("device", &Stream::device, "Where the stream runs.")
      .def_readonly("index", &Stream::index, "Counts the streams of the process.")
      .def("__repr__",
           [](const Stream& self) {
             std::ostringstream text;
             text << self;
             return text.str();
           })
      .def("__eq__",
           [](const Stream& self, const py::object& other) {
             return py::isinstance<Stream>(other) && self == other.cast<Stream>();
           })
      .def("__hash__", [](const Stream& self) { return self.index; });
  py::class_<WithStream>(m, "StreamContext",
                         "Makes a stream or device the default in a with block.")
      .def(py::init<StreamOrDevice>(), "s"_a)
      .def("__enter__", &WithStream::enter)
      .def("__exit__", [](WithStream& self, const py::args&) { self.exit(); });
}

}  // namespace

void bind_stream(py::module_& m) {
  bind_stream_class(m);
  m.def("default_stream", &default_stream, "device"_a, "The stream that ops on a device use.");
  m.def("set_default_stream", &set_default_stream, "stream"_a,
        "Makes a stream the one that ops on its device use.");
  m.def(
      "new_stream", [](Device device) { return new_stream(device); }, "device"_a,
      "A new stream on a device.");
  // Streams belong to the process here, so that all three kinds are one.
  m.attr("new_thread_unsafe_stream") = m.attr("new_stream");
  m.attr("new_thread_local_stream") = m.attr("new_stream");
  m.def(
      "clear_streams",
      [] {
        const ReleasedInterpreter released;
        clear_streams();
      },
      "Waits for the work of all streams.");
  m.def(
      "stream", [](StreamOrDevice where) { return WithStream(where); }, "s"_a,
      "Makes a stream or device the default in a with block.\n\n"
      "    with mx.stream(mx.cpu):\n"
      "        c = a + b");
  m.def("synchronize", &wait_for, "stream"_a = py::none(),
        "Waits until everything evaluated on a stream (the default one) is done.");
}

}  // namespace assay::python
