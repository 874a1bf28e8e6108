// Calls from generated code into the runtime (codegen/cpu/runtime_symbols.h lists them).
#pragma once

#include <functional>
#include <vector>

#include "codegen/intrinsics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

llvm::CallInst* emit_runtime_call(llvm::IRBuilder<>& builder, llvm::StringRef name,
                                  llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

// Memory for `count` words that a call takes or gives; lives in the function's entry block.
llvm::AllocaInst* allocate_words(llvm::IRBuilder<>& builder, unsigned count);

// The calls of our intrinsics of an accepted kind, in order.
std::vector<llvm::CallInst*> list_intrinsic_calls(llvm::Function& function,
                                                  const std::function<bool(IntrinsicKind)>& accept);

}  // namespace assay::codegen
