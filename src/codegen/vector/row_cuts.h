// Where the code for a row of threads can be cut into stages.
#pragma once

#include <vector>

#include "llvm/IR/Function.h"

namespace assay::codegen {

// The instructions that stages begin with, but for the first stage, in order: each is run once by
// every row that comes to it, in the code that `row` runs longest, and a row keeps little there.
// Empty where the code is too short to be cut.
std::vector<llvm::Instruction*> choose_cuts(llvm::Function& row);

}  // namespace assay::codegen
