// Which loads walk through a buffer as threadgroups follow each other.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// Loads of kernels that read each buffer in one sweep: no loops, no barriers. Such a kernel is over
// before the processor has seen where its loads go, and what it reads of the next page is not on
// its way when the next threadgroup asks for it. One load per buffer: others are close to it.
llvm::DenseSet<const llvm::LoadInst*> find_sweeping_loads(llvm::Function& thread);

}  // namespace assay::codegen
