// How many threads code for rows of threads takes at once.
#pragma once

#include "codegen/kernel_build.h"
#include "codegen/vector/divergence.h"

namespace assay::codegen {

// 64 for long computations without loops whose values fit into the registers, else 32. A processor
// looks some hundred instructions ahead: when one step of the kernel is longer than that, nothing
// of the next one begins while this one waits for its own results, unless the step itself brings
// work that does not depend on the rest.
// Not for kernels with barriers: threads that wait there are scheduled by 32.
unsigned choose_row_lanes(KernelBuild& build, const LaneAssumptions& assumptions);

}  // namespace assay::codegen
