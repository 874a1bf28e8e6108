// See open_device.h.
#include "cli/open_device.h"

#include "device/cpu/cpu_device.h"

namespace assay::cli {

codegen::BuildOptions build_options(const base::Settings& settings) {
  codegen::BuildOptions options;
  options.executor =
      settings.is_vector_executor ? kernel::Executor::kVector : kernel::Executor::kReference;
  options.cpu = settings.cpu;
  return options;
}

Result<OpenedDevice> open_device() {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  Result<std::shared_ptr<device::cpu::CpuDevice>> cpu =
      device::cpu::CpuDevice::create({.threads = settings->threads});
  if (!cpu) return cpu.error();
  return OpenedDevice{std::move(*cpu), settings->threads, build_options(*settings),
                      pipeline::KernelCache::create(*settings)};
}

}  // namespace assay::cli
