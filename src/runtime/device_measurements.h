// What this machine's device can do, measured once (`assay devices --measure`) and kept in a file
// beside the compiled kernels, so that reports can say how far a kernel is from the limit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/settings.h"
#include "runtime/open_device.h"
#include "trace/records.h"

namespace assay::runtime {

using Measurements = std::vector<trace::MeasurementRecord>;

// peak_bandwidth (bytes/s, read and written), peak_flops (flop/s of float32), launch_overhead (ns
// of a dispatch that does nothing), and what measure_ops.h says. Takes a few seconds.
Result<Measurements> measure_device(const OpenedDevice& opened);
// What a measurement belongs to: others do not count.
struct MeasuredDevice {
  std::string name;
  unsigned threads = 1;
};

// Empty where the user's settings name no folder for it.
std::string measurements_path(const base::Settings& settings);
// The error says why the file cannot be written.
Result<void> store_measurements(const std::string& path, const MeasuredDevice& device,
                                const Measurements& measurements);
// Nothing where there is no file for that device.
Measurements load_measurements(const std::string& path, const MeasuredDevice& device);

}  // namespace assay::runtime
