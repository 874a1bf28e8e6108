// Turns functions that end by calling themselves into loops.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Public kernels do contain such functions (advancing an iterator by several steps, for example),
// and Metal's own compiler accepts them. Other recursion is left for reject-recursion.
Result<void> loop_tail_recursion(KernelBuild& build);

}  // namespace assay::codegen
