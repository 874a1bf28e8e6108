// The call of a kernel from code that knows the thread: shared by all forms of entry functions.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"
#include "codegen/passes/thread_values.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// A function with the attributes of `like`, so that the one can become part of the other.
llvm::Function* create_function(llvm::Function& like, llvm::FunctionType* type,
                                llvm::GlobalValue::LinkageTypes linkage, const char* name);

// Computes the kernel's arguments for the thread that `values` stands for and calls it.
Result<llvm::CallInst*> emit_kernel_call(KernelBuild& build, llvm::IRBuilder<>& builder,
                                         ThreadValues& values);

// What a kernel's functions ask about the thread without being told by an argument.
struct ThreadFacts {
  llvm::Value* lane;
  llvm::Value* simdgroup;
  llvm::Value* arena;
};
// Emits them where the builder of `values` stands, which is to be before the call.
ThreadFacts emit_thread_facts(ThreadValues& values);

// Makes the kernel part of its caller and resolves what only the caller knows; ends
// KernelBuild::kernel.
Result<void> inline_kernel(KernelBuild& build, llvm::CallInst* call, const ThreadFacts& facts);

}  // namespace assay::codegen
