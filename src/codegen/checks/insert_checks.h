// Pass of checked builds: watches every access to memory that other threads see, every index into a
// thread's own arrays, and every barrier.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Runs when all calls are inlined and variables are values; fills KernelBuild::checks and drops the
// line tables. An access that is refused while the kernel runs is skipped, loads give 0.
Result<void> insert_checks(KernelBuild& build);

}  // namespace assay::codegen
