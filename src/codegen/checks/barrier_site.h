// What barriers and fences of a kernel order, as the check table says it.
#pragma once

#include <optional>

#include "codegen/intrinsics.h"
#include "kernel/checks.h"

namespace assay::codegen {

// The site of a barrier, or of the call that stands for a fence; nothing for other calls, and for
// fences that order nothing.
std::optional<kernel::CheckSite> find_barrier(const llvm::CallInst& call, IntrinsicKind kind);

}  // namespace assay::codegen
