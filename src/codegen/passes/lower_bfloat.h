// bfloat in terms of float and 16-bit integers: processors that assay runs on cannot compute with
// it, and those with conversion instructions flush subnormals.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Every operation on bfloat computes in float and rounds once, to nearest even; NaNs stay NaNs and
// become quiet. Integers convert through float, so wide ones round twice, as LLVM's own promotion
// does. Values of type bfloat become i16, also as parameters and results of functions: as long as
// the type is there, the optimiser makes new operations out of moves and bit masks.
Result<void> lower_bfloat(KernelBuild& build);

}  // namespace assay::codegen
