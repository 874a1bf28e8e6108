// LLVM's tail call elimination, where a function calls itself.
#include "codegen/passes/loop_tail_recursion.h"

#include <algorithm>

#include "codegen/call_graph.h"
#include "codegen/llvm_pipeline.h"

namespace assay::codegen {

Result<void> loop_tail_recursion(KernelBuild& build) {
  for (llvm::Function& function : build.module) {
    std::vector<llvm::Function*> called = callees(function);
    if (std::find(called.begin(), called.end(), &function) == called.end()) continue;
    build.pipeline.eliminate_tail_calls(function);
  }
  return {};
}

}  // namespace assay::codegen
