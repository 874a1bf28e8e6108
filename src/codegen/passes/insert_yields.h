// Keeps simdgroups that run one after the other in step where a kernel leaves a barrier out.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// A thread that reads threadgroup memory and then overwrites what others read, without a barrier
// between, gives each of them the old value on a GPU, where the whole group gets past its loads
// before anybody gets to the stores. Here a simdgroup would run on to the next barrier before
// others start. Before such stores the code yields: everybody else gets to a yield or a barrier
// first. Needs a kernel with threadgroup barriers, and changes nothing for one without races.
// Decision 0008 has the reasons.
Result<void> insert_yields(KernelBuild& build);

}  // namespace assay::codegen
