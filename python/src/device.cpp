// Devices.
#include "arguments.h"
#include "assay/print.h"
#include "assay/stream.h"
#include "bindings.h"
#include "device_info.h"

#include <sstream>

namespace assay::python {
namespace {

Device to_device(const StreamOrDevice& where) {
  if (const auto* device = std::get_if<Device>(&where.target())) return *device;
  if (const auto* stream = std::get_if<Stream>(&where.target())) return stream->device;
  return default_device();
}

// A device and a bare type are equal if they mean the same device.
template <typename T>
bool equals(const T& device, const py::object& other) {
  if (py::isinstance<Device>(other)) return Device(device) == other.cast<Device>();
  if (py::isinstance<Device::DeviceType>(other)) {
    return Device(device) == Device(other.cast<Device::DeviceType>());
  }
  return false;
}

}  // namespace

py::dict to_dict(const DeviceInfo& info) {
  py::dict dict;
  for (const auto& [key, value] : info) dict[py::str(key)] = py::cast(value);
  return dict;
}

void bind_device(py::module_& m) {
  py::class_<Device> device(m, "Device", "A device that runs operations.");
  py::enum_<Device::DeviceType> kind(m, "DeviceType", "Kinds of devices.");
  kind.value("cpu", Device::cpu).value("gpu", Device::gpu).export_values();
  kind.attr("__eq__") = py::cpp_function(&equals<Device::DeviceType>, py::is_method(kind));
  kind.attr("__ne__") = py::cpp_function(
      [](Device::DeviceType type, const py::object& other) { return !equals(type, other); },
      py::is_method(kind));
  device.def(py::init<Device::DeviceType, int>(), "type"_a, "index"_a = 0)
      .def_readonly("type", &Device::type, "cpu or gpu.")
      .def_readonly("index", &Device::index, "Counts devices of one type.")
      .def("__repr__",
           [](const Device& self) {
             std::ostringstream text;
             text << self;
             return text.str();
           })
      .def("__eq__", &equals<Device>)
      .def("__hash__",
           [](const Device& self) { return static_cast<int>(self.type) + 2 * self.index; });
  py::implicitly_convertible<Device::DeviceType, Device>();

  m.def("default_device", [] { return default_device(); }, "The device that ops use unless told.");
  m.def("set_default_device", &set_default_device, "device"_a,
        "Makes a device the one that ops of this thread use unless told.");
  m.def("is_available", &is_available, "device"_a, "Whether this machine has the device.");
  m.def("device_count", &device_count, "device_type"_a, "How many devices of a type there are.");
  m.def(
      "device_info",
      [](const StreamOrDevice& where) { return to_dict(device_info(to_device(where))); },
      "d"_a = py::none(), "What is known about a device: its name, memory and limits.");
}

}  // namespace assay::python
