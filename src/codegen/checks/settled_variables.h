// Finds variables that have values wherever they are used, though it takes optimisation to see it.
#pragma once

#include "codegen/kernel_build.h"

namespace assay::codegen {

// Arrays are mostly filled by short loops, which LLVM unrolls: it does so to a copy of the kernel,
// and what is left of no mark there needs none (unset_marks.h). Flags beside an array, which would
// have to be looked at wherever it is read, make the kernel a good deal slower. The kernel must be
// flat.
void drop_settled_marks(KernelBuild& build);

}  // namespace assay::codegen
