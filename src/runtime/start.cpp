// See start.h.
#include "runtime/start.h"

#include "device/current.h"
#include "runtime/capture_state.h"
#include "runtime/open_device.h"
#include "runtime/recording.h"

namespace assay::runtime {
namespace {

Result<std::shared_ptr<device::Device>> open() {
  Result<OpenedDevice> opened = open_device();
  if (!opened) return opened.error();
  return std::move(opened->device);
}

// When the shared library is loaded.
const bool is_started = (start(), start_environment_capture(), start_recording(), true);

}  // namespace

void start() {
  (void)is_started;
  device::set_device_opener(&open);
}

}  // namespace assay::runtime
