// See settled_variables.h.
#include "codegen/checks/settled_variables.h"

#include "codegen/checks/unset_marks.h"
#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {
namespace {

void drop_checks(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto intrinsic = find_intrinsic(instruction);
    if (intrinsic && is_check(intrinsic->kind) && instruction.use_empty()) {
      instruction.eraseFromParent();
    }
  }
}

llvm::DenseSet<uint64_t> list_used(llvm::Function& function) {
  llvm::DenseSet<uint64_t> used;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const UnsetMark mark = find_mark(instruction);
    const bool is_start = mark == UnsetMark::kNumber || mark == UnsetMark::kMemory;
    if (!is_start || (mark == UnsetMark::kNumber && instruction.use_empty())) continue;
    used.insert(variable_of(llvm::cast<llvm::CallInst>(instruction)).id);
  }
  return used;
}

}  // namespace

void drop_settled_marks(KernelBuild& build) {
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(build.kernel, map);
  drop_checks(*copy);
  drop_marks(*copy, [](UnsetMark mark, const llvm::CallInst&) {
    return mark == UnsetMark::kRead || mark == UnsetMark::kFilled;
  });
  mark_singly(*copy);
  build.pipeline.optimise_lanes(*copy);
  const auto used = list_used(*copy);
  copy->eraseFromParent();
  drop_marks(*build.kernel, [&](UnsetMark mark, const llvm::CallInst& call) {
    const bool is_start = mark == UnsetMark::kNumber || mark == UnsetMark::kMemory;
    return is_start && !used.contains(variable_of(call).id);
  });
}

}  // namespace assay::codegen
