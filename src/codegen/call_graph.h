// Questions about who calls whom. Only direct calls count: what a pointer calls is not known here.
#pragma once

#include <functional>
#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"

namespace assay::codegen {

// The defined functions that `function` calls, each once, in order of first call.
std::vector<llvm::Function*> callees(const llvm::Function& function);

// All defined functions, callees before callers. The calls must not be recursive.
std::vector<llvm::Function*> callees_first(llvm::Module& module);

using FunctionSet = llvm::DenseSet<const llvm::Function*>;
using AcceptInstruction = std::function<bool(const llvm::Instruction&)>;

// The functions of `order` (callees first) that execute an accepted instruction, in their own code
// or in a function they call.
FunctionSet functions_reaching(const std::vector<llvm::Function*>& order,
                               const AcceptInstruction& accept);

// Whether the block executes an accepted instruction itself or calls one of `reaching`.
bool block_reaches(const llvm::BasicBlock& block, const FunctionSet& reaching,
                   const AcceptInstruction& accept);

}  // namespace assay::codegen
