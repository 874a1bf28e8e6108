// See open_device.h.
#include "runtime/open_device.h"

#include <chrono>

#include "base/settings.h"
#include "device/cpu/cpu_device.h"
#include "pipeline/build_options.h"
#include "runtime/attach_checks.h"
#include "runtime/printed_lines.h"

namespace assay::runtime {

Result<OpenedDevice> open_device(std::optional<double> kernel_timeout_s) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  device::cpu::CpuOptions options{.threads = settings->threads};
  if (!kernel_timeout_s) kernel_timeout_s = settings->kernel_timeout_s;
  if (kernel_timeout_s) {
    options.kernel_time_limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(*kernel_timeout_s));
  }
  Result<std::shared_ptr<device::cpu::CpuDevice>> cpu = device::cpu::CpuDevice::create(options);
  if (!cpu) return cpu.error();
  (*cpu)->set_print_handler(show_printed_lines);
  if (Result<void> checked = attach_checks(**cpu, *settings); !checked) return checked.error();
  return OpenedDevice{std::move(*cpu), settings->threads, pipeline::build_options(*settings),
                      pipeline::KernelCache::create(*settings)};
}

}  // namespace assay::runtime
