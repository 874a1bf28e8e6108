// Keeps the code on the way out of a loop inside the loop for as long as lanes matter.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// `if (c) { r = simd_sum(x); break; }` sums over the lanes that leave in this round. To LLVM that
// branch lies behind the loop, where the lanes of all rounds meet; and behind the loop a lane that
// broke out with a lock would wait for those who wait for the lock. Where such a branch
// depends_on_rounds, every way from it out of the loop gets a second target, the loop's header,
// under a condition (assay.loop.held) that nobody can tell to be always true. Needs the blocks as
// clang wrote them: their names say where the code after a loop begins.
Result<void> hold_loop_exits(KernelBuild& build);

// Makes the condition true.
Result<void> release_loop_exits(KernelBuild& build);

}  // namespace assay::codegen
