// The kernel as code of one thread that does not know which lane it is: what vectorise reads.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Sets KernelBuild::lanes to a function of the GroupContext in which the thread's position is an
// intrinsic (kThreadPosition, kThreadIndex, kLane) and everything is inlined and optimised.
Result<void> build_lanes(KernelBuild& build);

}  // namespace assay::codegen
