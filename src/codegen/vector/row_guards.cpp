// Walks along the code that all threads begin with.
#include "codegen/vector/row_guards.h"

#include "codegen/vector/row_cuts.h"

namespace assay::codegen {
namespace {

bool may_be_repeated(const llvm::Instruction& instruction) {
  return !instruction.mayHaveSideEffects() && !instruction.isVolatile() && !instruction.isAtomic();
}

// Comparisons of what is uniform or counts along the row, and what joins them.
bool follows_from_position(const llvm::Value* value, const Divergence& divergence) {
  if (!divergence.shape(value).is_varying()) return true;
  const auto* instruction = llvm::cast<llvm::Instruction>(value);
  if (llvm::isa<llvm::ICmpInst>(instruction)) {
    return llvm::none_of(instruction->operands(), [&](const llvm::Value* operand) {
      return divergence.shape(operand).is_varying();
    });
  }
  const bool joins =
      llvm::isa<llvm::SelectInst, llvm::FreezeInst>(instruction) || instruction->isBitwiseLogicOp();
  return joins && llvm::all_of(instruction->operands(), [&](const llvm::Value* operand) {
           return follows_from_position(operand, divergence);
         });
}

// Where threads go on behind a branch on whose other side they return; null for other branches.
const llvm::BasicBlock* guarded(const llvm::BranchInst& branch) {
  const llvm::BasicBlock* first = branch.getSuccessor(0);
  const llvm::BasicBlock* second = branch.getSuccessor(1);
  if (is_return(*first) == is_return(*second)) return nullptr;
  return is_return(*first) ? second : first;
}

}  // namespace

llvm::DenseSet<const llvm::BasicBlock*> find_guards(llvm::Function& thread,
                                                    const Divergence& divergence) {
  llvm::DenseSet<const llvm::BasicBlock*> guards;
  const llvm::BasicBlock* block = &thread.getEntryBlock();
  while (block && llvm::all_of(*block, may_be_repeated)) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) break;
    const llvm::BasicBlock* next =
        branch->isUnconditional() ? branch->getSuccessor(0) : guarded(*branch);
    // Not back into a loop, nor to where others come from elsewhere.
    if (!next || !next->getSinglePredecessor()) break;
    if (divergence.is_divergent(block)) {
      if (!follows_from_position(branch->getCondition(), divergence)) break;
      guards.insert(block);
    }
    block = next;
  }
  return guards;
}

}  // namespace assay::codegen
