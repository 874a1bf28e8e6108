// Metal forbids recursion, and the passes after this one rely on its absence.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// An error that names the functions of a call cycle, if the kernel reaches one.
Result<void> reject_recursion(KernelBuild& build);

}  // namespace assay::codegen
