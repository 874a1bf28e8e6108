// Turns assay.print into calls of the runtime.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// `operands` are those of assay.print, for the one thread of that index in the threadgroup.
void emit_runtime_print(llvm::IRBuilder<>& builder, llvm::Value* group, llvm::Value* thread_index,
                        llvm::ArrayRef<llvm::Value*> operands);

// All calls in a function that is the code of one thread.
void lower_prints(llvm::Function& function, llvm::Value* group, llvm::Value* thread_index);

}  // namespace assay::codegen
