// Vector types of a program's own, as scalars.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// The library's vectors are structs; only those that a program declares with ext_vector_type are
// vectors to LLVM. As scalars they get what all other code gets: guards, checks, lanes.
Result<void> split_vectors(KernelBuild& build);

}  // namespace assay::codegen
