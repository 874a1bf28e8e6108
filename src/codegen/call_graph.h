// Questions about who calls whom. Only direct calls count: what a pointer calls is not known here.
#pragma once

#include <functional>
#include <vector>

#include "codegen/intrinsics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"

namespace assay::codegen {

// The defined functions that `function` calls, each once, in order of first call.
std::vector<llvm::Function*> callees(const llvm::Function& function);

// All defined functions, callees before callers. The calls must not be recursive.
std::vector<llvm::Function*> callees_first(llvm::Module& module);

// The functions of `order` (callees first) that execute an intrinsic of an accepted kind, in their
// own code or in a function they call.
llvm::DenseSet<const llvm::Function*> functions_reaching(
    const std::vector<llvm::Function*>& order, const std::function<bool(IntrinsicKind)>& accept);

// Whether the block executes an intrinsic of an accepted kind itself or calls one of `reaching`.
bool block_reaches(const llvm::BasicBlock& block,
                   const llvm::DenseSet<const llvm::Function*>& reaching,
                   const std::function<bool(IntrinsicKind)>& accept);

}  // namespace assay::codegen
