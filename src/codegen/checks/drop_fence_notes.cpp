// See drop_fence_notes.h.
#include "codegen/checks/drop_fence_notes.h"

#include "codegen/intrinsics.h"

namespace assay::codegen {

Result<void> drop_fence_notes(KernelBuild& build) {
  for (llvm::Function& function : llvm::make_early_inc_range(build.module)) {
    const std::optional<Intrinsic> intrinsic = find_intrinsic(&function);
    if (!intrinsic || intrinsic->kind != IntrinsicKind::kCheckFence) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    }
    function.eraseFromParent();
  }
  return {};
}

}  // namespace assay::codegen
