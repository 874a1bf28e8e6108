// Inlines what must be part of the kernel's own code, and cleans functions up on the way.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Functions that reach an `assay.*` intrinsic (only the kernel can suspend, only its entry knows
// the lane) and those marked always_inline are inlined into their callers, callees first, so that a
// body is simplified before it is copied. Other functions are simplified and left to LLVM's
// inliner. Afterwards no function but the kernel contains an intrinsic, and unused functions are
// gone.
Result<void> inline_calls(KernelBuild& build);

// Inlines all calls of defined functions into `function`; fails where it grows beyond `limit`
// instructions.
Result<void> inline_every_call(KernelBuild& build, llvm::Function& function, uint64_t limit);

}  // namespace assay::codegen
