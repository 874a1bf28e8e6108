// Pass of checked builds: watches integer divisions, shifts and the making of NaN and infinity.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Puts assay.check.condition in front of what may go wrong, with a kernel::SiteKind where the
// site's number will be; insert-checks gives the numbers. Promises that numbers do not wrap are
// taken back. Runs before anything is simplified: LLVM takes for granted that undefined things do
// not happen.
Result<void> mark_arithmetic(KernelBuild& build);

}  // namespace assay::codegen
