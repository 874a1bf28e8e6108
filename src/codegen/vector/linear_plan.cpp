// Partial linearisation: one walk over the blocks in topological order.
#include "codegen/vector/linear_plan.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ProfDataUtils.h"

namespace assay::codegen {

bool is_unlikely(const llvm::BasicBlock& block) {
  constexpr uint64_t kOrdinary = 64;
  const llvm::BasicBlock* before = block.getSinglePredecessor();
  uint64_t taken = 0;
  uint64_t other = 0;
  if (!before || !llvm::extractBranchWeights(*before->getTerminator(), taken, other)) return false;
  if (before->getTerminator()->getSuccessor(0) != &block) std::swap(taken, other);
  return taken * kOrdinary < other;
}

LinearPlan::LinearPlan(const std::vector<llvm::BasicBlock*>& order, const llvm::LoopInfo& loops,
                       const Divergence& divergence)
    : order_(order), loops_(loops), divergence_(divergence), plans_(order.size()) {
  for (unsigned i = 0; i < order.size(); ++i) position_[order[i]] = i;
  for (llvm::BasicBlock* block : order) plan(block);
}

llvm::BasicBlock* LinearPlan::skip_target(const llvm::BasicBlock* block) const {
  const BlockPlan& plan = of(block);
  // A loop is entered, and gone round again, only with lanes.
  if (plan.waiting.empty() || loops_.isLoopHeader(block)) return nullptr;
  bool may_lack_lanes =
      plan.is_waited_for || llvm::any_of(llvm::predecessors(block), [&](const auto* before) {
        return divergence_.is_divergent(before) || of(before).divergent_loop;
      });
  return may_lack_lanes ? order_[*plan.waiting.begin()] : nullptr;
}

// Goes to the first of `targets`; the others wait.
llvm::BasicBlock* LinearPlan::visit_first(std::set<unsigned> targets) {
  unsigned first = *targets.begin();
  targets.erase(targets.begin());
  for (unsigned waiting : targets) plans_[waiting].is_waited_for = true;
  plans_[first].waiting.insert(targets.begin(), targets.end());
  return order_[first];
}

void LinearPlan::check_uniform_loops(const llvm::BasicBlock* block, const llvm::BasicBlock* target,
                                     const llvm::BasicBlock* next) {
  for (const llvm::Loop* loop = loops_.getLoopFor(block); loop; loop = loop->getParentLoop()) {
    if (loop->contains(target)) return;
    if (loop->contains(next) && !divergence_.is_divergent(loop)) contradiction_ = loop;
  }
}

void LinearPlan::plan(llvm::BasicBlock* block) {
  BlockPlan& plan = plans_[index(block)];
  plan.waiting.erase(index(block));
  const llvm::Loop* loop = loops_.getLoopFor(block);
  bool in_divergent_loop = loop && divergence_.is_divergent(loop);
  if (in_divergent_loop && loop->getHeader() == block) {
    // From the second round on lanes may wait behind the loop.
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop->getUniqueExitBlocks(exits);
    for (const llvm::BasicBlock* exit : exits) {
      plan.waiting.insert(index(exit));
      plans_[index(exit)].is_waited_for = true;
    }
  }
  std::set<unsigned> targets;
  if (in_divergent_loop && loop->getLoopLatch() == block) {
    plan.divergent_loop = loop;
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (next != loop->getHeader()) targets.insert(index(next));
    }
    targets.insert(plan.waiting.begin(), plan.waiting.end());
    if (!targets.empty()) plan.next.push_back(visit_first(targets));
    return;
  }
  if (divergence_.is_divergent(block)) {
    targets = plan.waiting;
    for (const llvm::BasicBlock* next : llvm::successors(block)) targets.insert(index(next));
    plan.next.push_back(visit_first(targets));
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      check_uniform_loops(block, next, plan.next.front());
    }
    return;
  }
  for (llvm::BasicBlock* next : llvm::successors(block)) {
    if (index(next) <= index(block)) {
      plan.next.push_back(next);  // the way back of a loop that all lanes go round together
      continue;
    }
    targets = plan.waiting;
    targets.insert(index(next));
    plan.next.push_back(visit_first(targets));
    check_uniform_loops(block, next, plan.next.back());
  }
}

}  // namespace assay::codegen
