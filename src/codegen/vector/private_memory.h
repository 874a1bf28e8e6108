// Where each lane's copy of a thread's own variables lies.
#pragma once

#include "codegen/vector/divergence.h"
#include "llvm/IR/Function.h"

namespace assay::codegen {

// Variables whose every access has the same size are laid out element by element: element i of lane
// 0, of lane 1, …, then element i + 1. Their addresses in `function` are rewritten for that. All
// other variables lie lane by lane. Writes the distance between neighbouring lanes' copies into
// `assumptions`. False when a variable's size is not known.
bool lay_out_private_memory(llvm::Function& function, LaneAssumptions& assumptions);

}  // namespace assay::codegen
