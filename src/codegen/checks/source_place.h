// Where in the user's source an instruction comes from.
#pragma once

#include <vector>

#include "kernel/checks.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"

namespace assay::codegen {

// The user's place first, then the places its function was called from. Places in the standard
// library do not count: what happens there is told at the call. Empty when nothing is known.
std::vector<kernel::SitePlace> source_places(const llvm::DebugLoc& location);

// Whether the function is part of the Metal library that assay brings along.
bool is_standard_library(const llvm::Function& function);

}  // namespace assay::codegen
