// LLVM's split, and removal of what only owners of a frame need.
#include "codegen/passes/split_coroutine.h"

#include "codegen/llvm_pipeline.h"
#include "codegen/passes/build_entry.h"
#include "llvm/IR/Constants.h"

namespace assay::codegen {

Result<void> split_coroutine(KernelBuild& build) {
  build.pipeline.shrink_coroutine(*build.entry);
  build.pipeline.split_coroutines(build.module);
  // Executors reuse a frame's memory without ever destroying it.
  for (const char* suffix : {".destroy", ".cleanup"}) {
    llvm::Function* unused = build.module.getFunction(kEntrySymbol + std::string(suffix));
    if (!unused) continue;
    unused->replaceAllUsesWith(llvm::ConstantPointerNull::get(unused->getType()));
    unused->eraseFromParent();
  }
  return {};
}

}  // namespace assay::codegen
