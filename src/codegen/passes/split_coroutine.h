// Cuts the coroutine that form-coroutine made into the code that starts a thread and the code that
// resumes it.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Values that live across a suspend point move to the frame, whose size the entry then knows. Runs
// before the optimiser: LLVM takes a coroutine's frame for memory that nobody else sees, which is
// only true of frames that it allocates, and would drop stores to ours.
Result<void> split_coroutine(KernelBuild& build);

}  // namespace assay::codegen
