// Facts about the device and its memory, for programs.
#include <sys/sysinfo.h>

#include "assay/memory.h"
#include "assay/metal.h"
#include "device/current.h"

namespace assay {
namespace {

DeviceInfo read_device_info() {
  struct sysinfo machine = {};
  sysinfo(&machine);
  const size_t memory = size_t{machine.totalram} * machine.mem_unit;
  const device::Device& device = device::current_device();
  DeviceInfo info;
  info["device_name"] = device.name();
  info["architecture"] = std::string("cpu");
  info["memory_size"] = memory;
  info["max_buffer_length"] = memory;
  info["max_recommended_working_set_size"] = memory / 4 * 3;
  info["resource_limit"] = size_t{1} << 30;
  return info;
}

}  // namespace

const DeviceInfo& device_info(const Device& /*device*/) {
  static const DeviceInfo info = read_device_info();
  return info;
}

bool metal::is_available() { return true; }
const DeviceInfo& metal::device_info() { return assay::device_info(Device(Device::gpu)); }

}  // namespace assay
