// The entry function of a vectorised kernel: which code runs for which threads of a group.
#pragma once

#include <vector>

#include "base/result.h"
#include "codegen/kernel_build.h"
#include "codegen/vector/row_stages.h"

namespace assay::codegen {

// How the threads of a threadgroup are taken many at a time.
enum class Grouping : uint8_t {
  kSimdgroups,  // by index, as Metal forms simdgroups
  kRows,        // by position along x: for kernels that cannot tell, whatever the group's shape
};

// The code of 32 threads, as functions of the context, the first thread's index in its threadgroup
// and its position there: `whole`, or the stages that it was cut into, where it fits, else `rest`.
struct Versions {
  Grouping grouping = Grouping::kSimdgroups;
  // `whole`, or its first stage, has one more parameter, the address of a byte that it sets where
  // `rest` has to take its threads.
  bool has_guards = false;
  llvm::Function* whole = nullptr;  // null where there are stages
  std::vector<RowStage> stages;     // of rows only
  llvm::Function* rest = nullptr;
};

// Both fill KernelBuild::entry, which has no code yet, and make the versions part of it.

// Loops over all threads of the group.
Result<void> build_plain_vector_entry(KernelBuild& build, const Versions& versions);

// Up to 32 threads, the first of which the ThreadState has; form-coroutine makes it resumable.
Result<void> build_resumable_vector_entry(KernelBuild& build, const Versions& versions);

}  // namespace assay::codegen
