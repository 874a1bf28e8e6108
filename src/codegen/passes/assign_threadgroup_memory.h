// Lays the kernel's `threadgroup` variables out in the group's arena.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Every variable that is still used gets an offset; the total goes to static_threadgroup_bytes.
// Runs after simplification, so that variables in branches that constants removed take no space.
Result<void> assign_threadgroup_memory(KernelBuild& build);

}  // namespace assay::codegen
