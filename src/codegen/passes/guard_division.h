// Integer division that never traps.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Metal leaves the value of x / 0 and of the smallest number / -1 open, but goes on. Here the
// divisor then counts as 1. Constants that are neither 0 nor -1 need no guard.
Result<void> guard_division(KernelBuild& build);

}  // namespace assay::codegen
