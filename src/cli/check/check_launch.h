// Runs the launches of a launch file under the checks.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "cli/check/launch_file.h"
#include "device/command.h"
#include "device/device.h"
#include "kernel/kernel_info.h"
#include "pipeline/pipeline_cache.h"

namespace assay::cli {

// Arrays of a launch file by their names, for later launches.
struct MadeArray {
  NewArray description;
  uint64_t offset = 0;  // bytes before the first element
  std::shared_ptr<device::Buffer> buffer;
};
using MadeArrays = std::map<std::string, MadeArray>;

struct BoundLaunch {
  device::Bindings bindings;
  device::CommandLabels labels;  // with the arrays, so that findings know their shapes
};

// Puts the arguments into the slots of the kernel, and arrays that have a name into `arrays`.
Result<BoundLaunch> bind_launch(const FileLaunch& launch, const kernel::KernelInfo& info,
                                device::Device& device, MadeArrays& arrays);

// All launches one after the other. An error of a launch ends it.
Result<void> run_launches(const LaunchFile& file, const pipeline::Library& library,
                          pipeline::PipelineCache& pipelines);

}  // namespace assay::cli
