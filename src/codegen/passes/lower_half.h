// Comparison, rounding, minimum and maximum of half in float, where processors have instructions.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Exact, since results are values of half. Runs after the optimiser, which turns float operations
// between conversions into half ones. LLVM's code generator makes a library call of each, and also
// of a comparison of half with a selection behind it, in which it sees a maximum.
Result<void> lower_half(KernelBuild& build);

}  // namespace assay::codegen
