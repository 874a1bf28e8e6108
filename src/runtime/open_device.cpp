// See open_device.h.
#include "runtime/open_device.h"

#include <chrono>

#include "base/settings.h"
#include "device/cpu/cpu_device.h"
#include "pipeline/build_options.h"
#include "runtime/attach_checks.h"
#include "runtime/printed_lines.h"

namespace assay::runtime {

Result<OpenedDevice> open_device(const OpenOptions& options) {
  const Result<base::Settings> settings = base::load_settings();
  if (!settings) return settings.error();
  device::cpu::CpuOptions cpu_options{.threads = settings->threads};
  const auto timeout_s =
      options.kernel_timeout_s ? options.kernel_timeout_s : settings->kernel_timeout_s;
  if (timeout_s) {
    cpu_options.kernel_time_limit = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(*timeout_s));
  }
  auto cpu = device::cpu::CpuDevice::create(cpu_options);
  if (!cpu) return cpu.error();
  (*cpu)->set_print_handler(show_printed_lines);
  allow_call_checks(**cpu, *settings);
  codegen::BuildOptions build_options = pipeline::build_options(*settings);
  if (options.findings) {
    attach_checks(**cpu, options.checks, options.findings);
    build_options.checked = true;
  } else if (Result<void> checked = attach_checks(**cpu, *settings); !checked) {
    return checked.error();
  }
  return OpenedDevice{std::move(*cpu), settings->threads, std::move(build_options),
                      pipeline::KernelCache::create(*settings)};
}

}  // namespace assay::runtime
