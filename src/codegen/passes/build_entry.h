// Builds the function that executors call (kernel/cpu_abi.h) around the kernel.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

inline constexpr char kEntrySymbol[] = "assay_entry";

// Decides the execution form, computes the kernel's arguments from GroupContext and inlines the
// kernel: a loop over all threads of the group when nothing in it suspends, otherwise the code of
// one thread, which form-coroutine makes resumable.
Result<void> build_entry(KernelBuild& build);

}  // namespace assay::codegen
