// Pass of unchecked builds: takes out what the library says about its fences for the checks.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// First of all passes, so that a build without checks never sees these calls.
Result<void> drop_fence_notes(KernelBuild& build);

}  // namespace assay::codegen
