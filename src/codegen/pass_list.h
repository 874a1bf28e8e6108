// The passes of CPU builds, in order.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

struct Pass {
  const char* name;
  Result<void> (*run)(KernelBuild&);
  bool (*only_if)(const KernelBuild&) = nullptr;
};

std::span<const Pass> cpu_passes(kernel::Executor executor);

// Runs the passes and adds a timing for each. Limits are checked after every pass.
Result<void> run_passes(KernelBuild& build, std::span<const Pass> passes,
                        std::vector<PassTiming>& timings);

}  // namespace assay::codegen
