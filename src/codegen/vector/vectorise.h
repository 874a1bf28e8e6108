// From code of one thread to an entry function that runs many threads at a time.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Builds KernelBuild::entry out of KernelBuild::lanes. Kernels that use nothing of simdgroups take
// 32 neighbours along x at a time, all others take simdgroups. The entry holds the code twice: for
// so many neighbours along x, where no mask is needed, and for whatever else the grouping gives.
// What cannot be vectorised falls back.
Result<void> vectorise(KernelBuild& build);

}  // namespace assay::codegen
