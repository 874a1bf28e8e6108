// Tells one compiler from another: two that may make different code have different ids.
#pragma once

#include "base/hash.h"

namespace assay::pipeline {

// Over assay's version, all sources that have a part in compiling (hashed when assay is built) and
// the LLVM and clang libraries of this process. Computed once.
const base::Hash128& compiler_id();

}  // namespace assay::pipeline
