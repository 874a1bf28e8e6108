// Puts what the user gave on the command line into the slots of a kernel, checked against what
// reflection says about it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/launch_argument.h"
#include "device/bindings.h"
#include "device/device.h"
#include "kernel/kernel_info.h"

namespace assay::cli {

// An array that the kernel may change and the user wants to see.
struct BoundOutput {
  std::string name;  // of the kernel's argument
  uint32_t slot = 0;
  ArrayType type;
  std::vector<uint64_t> shape;
  std::string file;  // empty: print the values
  std::shared_ptr<device::Buffer> buffer;
};

struct BoundArguments {
  device::Bindings bindings;
  std::vector<BoundOutput> outputs;
  // Bytes of all arrays the kernel reads plus bytes of all arrays it writes.
  uint64_t traffic_bytes = 0;
  // Things that look wrong but can run.
  std::vector<std::string> notes;
};

// Arguments go to the buffer slots in their order, threadgroup:BYTES to the threadgroup slots. An
// argument that does not exist in this pipeline (see Argument::present_if) may be left out or be -.
Result<BoundArguments> bind_arguments(const kernel::KernelInfo& info,
                                      std::span<const LaunchArgument> given,
                                      device::Device& device);

}  // namespace assay::cli
