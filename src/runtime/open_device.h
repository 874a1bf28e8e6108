// The device that work runs on, set up as the user's settings say.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "device/device.h"
#include "pipeline/kernel_cache.h"
#include "sanitizer/check_service.h"
#include "sanitizer/finding_log.h"

namespace assay::runtime {

struct OpenedDevice {
  std::shared_ptr<device::Device> device;
  unsigned threads = 1;                 // host threads that run threadgroups
  codegen::BuildOptions build_options;  // as ASSAY_EXECUTOR and ASSAY_CPU say
  // Kernels of earlier runs; null when the user switched it off.
  std::shared_ptr<pipeline::KernelCache> kernel_cache;
};

// What goes before the user's settings.
struct OpenOptions {
  std::optional<double> kernel_timeout_s = {};
  // Set: kernels run under these checks, whatever ASSAY_CHECK says, and findings go here.
  std::shared_ptr<sanitizer::FindingLog> findings = {};
  sanitizer::CheckOptions checks = {};
};
Result<OpenedDevice> open_device(const OpenOptions& options = {});

}  // namespace assay::runtime
