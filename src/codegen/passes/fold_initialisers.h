// Program-scope constants that depend on function constants arrive as code that would run before
// the program; this pass runs that code at build time.
#pragma once

#include <span>

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Evaluates build.initialisers in order and stores the results as constant initial values.
Result<void> fold_initialisers(KernelBuild& build);

}  // namespace assay::codegen
