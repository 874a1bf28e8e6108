// See open_device.h.
#include "cli/open_device.h"

#include "base/settings.h"
#include "device/cpu/cpu_device.h"

namespace assay::cli {

Result<OpenedDevice> open_device() {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  Result<std::shared_ptr<device::cpu::CpuDevice>> cpu =
      device::cpu::CpuDevice::create({.threads = settings->threads});
  if (!cpu) return cpu.error();
  return OpenedDevice{std::move(*cpu), settings->threads, pipeline::KernelCache::create(*settings)};
}

}  // namespace assay::cli
