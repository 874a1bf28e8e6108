// The state that the passes of one build share, and the way they report errors.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/thread_cpu_clock.h"
#include "codegen/build_kernel.h"
#include "kernel/kernel_image.h"
#include "kernel/kernel_info.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

class LlvmPipeline;

// Bytes of the threadgroup's memory that belong to a variable.
struct ThreadgroupVariable {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

struct KernelBuild {
  llvm::Module& module;
  llvm::TargetMachine& target;
  LlvmPipeline& pipeline;
  const BuildOptions& options;
  kernel::KernelInfo info;  // becomes the image's
  std::span<const kernel::FunctionConstant> constants;
  std::span<const ConstantValue> values;
  // Code that computes program-scope constants, in order; empty after fold-initialisers.
  std::vector<llvm::Function*> initialisers;
  llvm::Function* kernel = nullptr;  // null once it is part of `entry`
  llvm::Function* lanes = nullptr;   // set by build-lanes, part of `entry` after vectorise
  llvm::Function* entry = nullptr;   // set by build-entry or vectorise
  // Set by assign-threadgroup-memory.
  std::vector<ThreadgroupVariable> threadgroup_variables = {};
  // Set by a pass that fails because only kReference's code can run this kernel.
  std::string fallback_reason = {};
  kernel::ExecutionForm form = kernel::ExecutionForm::kPlain;
  // Of checked builds, filled by insert-checks.
  std::shared_ptr<kernel::CheckTable> checks = nullptr;
  base::ThreadCpuClock::time_point deadline = base::ThreadCpuClock::time_point::max();

  // "[compile] kernel 'name': text".
  Error error(const std::string& text) const;
  // Notes why only kReference's code can run the kernel ("it calls …") and fails with it.
  Error fall_back(const std::string& reason);
  // The reason where LLVM would take too long over the code for 32 threads at once.
  std::string size_reason() const;
  // For what only a bug of ours can cause; says so.
  Error internal_error(const std::string& text) const;

  // Errors when a limit is used up. The second counts the whole module.
  Result<void> check_time() const;
  Result<void> check_limits() const;
  Error too_long(uint64_t limit) const;

  // Drops functions that neither the kernel nor a pointer refers to.
  void erase_unused_functions();
};

// The name of a function or variable as its author wrote it, address spaces in Metal's words.
std::string readable_name(const llvm::GlobalValue& global);

}  // namespace assay::codegen
