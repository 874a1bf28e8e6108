// Which results a kernel writes and never looks at again.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// Stores to buffers that the kernel does not read. Where a launch writes more than the caches hold,
// these may go around them, which saves reading the old contents. Empty for kernels whose
// threadgroups talk to each other: such stores reach other processors out of order.
llvm::DenseSet<const llvm::StoreInst*> find_streamed_stores(const llvm::Function& thread);

}  // namespace assay::codegen
