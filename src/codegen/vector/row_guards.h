// Branches at the begin of kernels that keep threads beyond the data from going on.
#pragma once

#include "codegen/vector/divergence.h"

namespace assay::codegen {

// The blocks whose branches are guards, such as `if (i >= count) return;`: nothing has been written
// when a row comes there, one side only returns, and which side a thread takes follows from
// its position. All threads of a row agree but for the row at the edge.
llvm::DenseSet<const llvm::BasicBlock*> find_guards(llvm::Function& thread,
                                                    const Divergence& divergence);

}  // namespace assay::codegen
