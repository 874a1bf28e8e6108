// What debuggers see of a kernel: its functions, lines and variables, and the thread that runs.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"
#include "codegen/passes/thread_values.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// Gives every call a place in the source, if only "somewhere in this function": code that is
// inlined from a call without one would belong to no function.
Result<void> locate_calls(KernelBuild& build);

// Makes the function that `builder` stands in known to debuggers as the kernel's thread, whose
// parameters are its position and its threadgroup's. What `builder` creates from here on belongs to
// it. Needs the position in `values`.
void describe_thread(KernelBuild& build, llvm::IRBuilder<>& builder, ThreadValues& values);

// Keeps the variables of a resumable kernel to its end, also those it does not read any more.
Result<void> keep_variables(KernelBuild& build);

// Drops the debug information if a pass has left some that LLVM does not take: better a kernel
// without than none.
Result<void> settle_debug_info(KernelBuild& build);

}  // namespace assay::codegen
