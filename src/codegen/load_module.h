// Reads one kernel out of a library's bitcode: the kernel, what it reaches, and nothing else.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/kernel_info.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {

struct LoadedModule {
  std::unique_ptr<llvm::Module> module;
  llvm::Function* kernel = nullptr;
  // Functions that compute program-scope constants the kernel needs, in the order they must run.
  std::vector<llvm::Function*> initialisers;
};

// The program-scope constant that the source calls `name`, or null.
llvm::GlobalVariable* find_constant(llvm::Module& module, const std::string& name);

// `bitcode` must outlive the module. The module is private to one kernel: every definition but the
// kernel is internal, and attributes that tie functions to the front end's target are gone. Line
// tables stay only where `keeps_lines`.
Result<LoadedModule> load_module(std::string_view bitcode, const kernel::KernelInfo& info,
                                 std::span<const kernel::FunctionConstant> constants,
                                 llvm::LLVMContext& context, bool keeps_lines = false);

}  // namespace assay::codegen
