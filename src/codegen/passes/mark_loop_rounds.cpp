// Loop latches by dominator tree and loop info, function by function.
#include "codegen/passes/mark_loop_rounds.h"

#include "codegen/call_graph.h"
#include "codegen/intrinsics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::codegen {
namespace {

bool is_shared(const llvm::Loop& loop, const FunctionSet& reaching) {
  return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
    return block_reaches(*block, reaching, depends_on_rounds);
  });
}

llvm::BasicBlock* single_latch(llvm::Loop& loop, llvm::DominatorTree& dominators,
                               llvm::LoopInfo& loops) {
  if (llvm::BasicBlock* latch = loop.getLoopLatch()) return latch;
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  return llvm::SplitBlockPredecessors(loop.getHeader(), latches, ".round", &dominators, &loops);
}

void mark_function(llvm::Function& function, const FunctionSet& reaching) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!is_shared(*loop, reaching)) continue;
    llvm::BasicBlock* latch = single_latch(*loop, dominators, loops);
    llvm::IRBuilder<> builder(latch->getTerminator());
    builder.CreateCall(declare_loop_round(*function.getParent()));
  }
}

}  // namespace

Result<void> mark_loop_rounds(KernelBuild& build) {
  std::vector<llvm::Function*> order = callees_first(build.module);
  FunctionSet reaching = functions_reaching(order, depends_on_rounds);
  for (llvm::Function* function : order) {
    if (reaching.contains(function)) mark_function(*function, reaching);
  }
  return {};
}

}  // namespace assay::codegen
