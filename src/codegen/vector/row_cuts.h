// Where the code for a row of threads can be cut into stages.
#pragma once

#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// Whether nothing happens from `block` on but a return.
inline bool is_return(const llvm::BasicBlock& block) {
  return llvm::isa<llvm::ReturnInst>(block.front());
}

// The instructions that stages begin with, but for the first stage, in order: each is run once by
// every row that comes to it, in the code that `row` runs longest, and a row keeps little there.
// Empty where the code is too short to be cut.
std::vector<llvm::Instruction*> choose_cuts(llvm::Function& row);

}  // namespace assay::codegen
