// Makes a kernel that suspends resumable: barriers and cross-lane operations become suspend points
// of an LLVM coroutine whose frame the executor owns.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Rewrites build.entry into kernel::ResumableEntry. At each suspend point the thread writes what it
// waits for into its ThreadState; from then on the code means the same for one thread alone, and
// the optimiser is free to move it: convergence matters only up to this pass.
Result<void> form_coroutine(KernelBuild& build);

}  // namespace assay::codegen
