// Makes the storage of each `threadgroup` variable recognisable wherever inlining carries it.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// The front end numbers variables per function; afterwards numbers are unique in the module. Runs
// before inlining, since a function's variables stay the same ones at each of its calls.
Result<void> name_threadgroup_memory(KernelBuild& build);

}  // namespace assay::codegen
