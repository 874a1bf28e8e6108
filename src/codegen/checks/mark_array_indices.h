// Pass of checked builds: watches indices into arrays that lie inside of others.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// `tile[y][7]` of `float tile[5][7]` is another row's element: inside of the variable, so that
// insert-checks has nothing to say, but not what was meant. The same holds for arrays in structs,
// for components of vectors and for columns of matrices.
// Needs the types that clang wrote, before they are simplified away.
Result<void> mark_array_indices(KernelBuild& build);

}  // namespace assay::codegen
