// bfloat arithmetic in terms of float and integers: processors that assay runs on have none, and
// those with conversion instructions flush subnormals.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Every operation on bfloat computes in float and rounds once, to nearest even; NaNs stay NaNs and
// become quiet. Only moves, loads, stores and bit casts of bfloat remain. Integers convert through
// float, so wide ones round twice, as LLVM's own promotion does.
Result<void> lower_bfloat(KernelBuild& build);

}  // namespace assay::codegen
