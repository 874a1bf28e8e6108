// Marks the end of every round of loops in which lanes of a simdgroup work together or take locks.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Diverged lanes meet again at the end of each round (a `continue` ends the round early). Each loop
// in which that matters (depends_on_rounds) gets one latch and an assay.loop.round call in it,
// which is convergent and so keeps that latch in one piece. Runs before inlining and
// simplification: those merge and split loops, and what the source calls one round would be lost.
Result<void> mark_loop_rounds(KernelBuild& build);

}  // namespace assay::codegen
