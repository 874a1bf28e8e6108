// Runs one dispatch once or many times and tells how long it took on the device.
#pragma once

#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "pipeline/pipeline_cache.h"

namespace assay::cli {

struct DispatchJob {
  pipeline::LoadedKernelPtr kernel;
  device::Bindings bindings;
  kernel::LaunchSize size;
};

struct TimeSummary {
  size_t runs = 0;
  double median_ns = 0;
  double min_ns = 0;
};

// Nanoseconds from the start of the kernel to its end.
Result<double> run_once(device::Queue& queue, const DispatchJob& job);

// A few runs that do not count, then `runs` that do.
Result<TimeSummary> run_repeatedly(device::Queue& queue, const DispatchJob& job, size_t runs);

// Of at least one time.
TimeSummary summarize(std::vector<double> times_ns);

}  // namespace assay::cli
