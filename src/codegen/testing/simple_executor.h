// A small executor for tests: runs one kernel image over a grid, one thread at a time, exactly as
// kernel/cpu_abi.h says. Written apart from device/cpu so that the two can check each other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/kernel_image.h"

namespace assay::codegen::testing {

using Size = std::array<uint32_t, 3>;

struct Launch {
  Size grid = {1, 1, 1};  // threads
  Size threadgroup = {1, 1, 1};
  std::vector<void*> buffers = {};               // by slot
  std::vector<uint64_t> threadgroup_bytes = {};  // by [[threadgroup(n)]] slot
};

// Runs every group of the launch, in order. Throws when threads wait for something that cannot
// come.
void run(const kernel::KernelImage& image, const Launch& launch);

}  // namespace assay::codegen::testing
