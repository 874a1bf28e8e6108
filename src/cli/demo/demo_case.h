// A sample kernel with its inputs and a plain C++ computation of what it must produce.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/embedded_file.h"
#include "base/result.h"
#include "device/bindings.h"
#include "device/device.h"
#include "kernel/dispatch.h"

namespace assay::cli {

struct PreparedCase {
  device::Bindings bindings;
  kernel::LaunchSize size;
  uint64_t elements = 0;
  uint64_t traffic_bytes = 0;  // read and written by one run
  // True if the results of the first run are right. Reads the buffers that were bound.
  std::function<bool()> check;
};

struct DemoCase {
  std::string_view file;  // in samples/
  std::string_view kernel;
  std::vector<std::pair<std::string, std::string>> constants;  // name, value
  std::string_view shows;                                      // what the kernel is a sample of
  Result<PreparedCase> (*prepare)(device::Device& device);
};

std::span<const DemoCase> demo_cases();

// The folder samples/ of the source tree.
std::span<const base::EmbeddedFile> sample_files();

}  // namespace assay::cli
