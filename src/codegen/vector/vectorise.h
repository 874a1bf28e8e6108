// From code of one thread to an entry function that runs 32 threads at a time.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Builds KernelBuild::entry out of KernelBuild::lanes. It holds the kernel twice: for simdgroups
// that are complete and lie in one row along x, and for all others. What it cannot take
// falls back.
Result<void> vectorise(KernelBuild& build);

}  // namespace assay::codegen
