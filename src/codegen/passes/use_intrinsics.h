// Replaces calls of C's math functions by the operations they stand for.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// The front end calls fmaf, floorf, … by name where a pragma asks for precise semantics. Their
// operations set no errno here, so the intrinsics mean the same, and they can be vectorised.
Result<void> use_intrinsics(KernelBuild& build);

}  // namespace assay::codegen
