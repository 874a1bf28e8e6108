// See current.h. The device lives for ever.
#include "device/current.h"

#include <atomic>
#include <stdexcept>

namespace assay::device {
namespace {

std::atomic<DeviceOpener> current_opener = nullptr;
std::atomic<Device*> opened_device = nullptr;

std::shared_ptr<Device> open() {
  const DeviceOpener opener = current_opener;
  if (!opener) throw std::runtime_error("assay's runtime was not started, so there is no device");
  Result<std::shared_ptr<Device>> opened = opener();
  if (!opened) throw std::runtime_error(opened.error().message);
  opened_device = opened->get();
  return std::move(*opened);
}

}  // namespace

void set_device_opener(DeviceOpener opener) { current_opener = opener; }

std::shared_ptr<Device> current_device_ptr() {
  // Never destroyed: static arrays of the user may be freed after everything else.
  static const auto* device = new std::shared_ptr<Device>(open());
  return *device;
}

Device* find_current_device() { return opened_device.load(std::memory_order_acquire); }

Device& current_device() {
  static Device& device = *current_device_ptr();
  return device;
}

}  // namespace assay::device
