// Finds the blocks between a loop and the code after it, and ties them to the loop.
#include "codegen/passes/hold_loop_exits.h"

#include "codegen/call_graph.h"
#include "codegen/intrinsics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

using Edge = std::pair<llvm::BasicBlock*, llvm::BasicBlock*>;

// The names clang gives to the blocks behind a loop and at the end of a function.
bool is_named_end(const llvm::BasicBlock& block) {
  llvm::StringRef name = block.getName();
  return name.starts_with("for.end") || name.starts_with("while.end") ||
         name.starts_with("do.end") || name.starts_with("return") || name.starts_with("cleanup") ||
         name.starts_with("for.cond.cleanup");
}

// The blocks on the way out of one loop: the branches that end in `break` or `return`.
class ExitRegion {
 public:
  ExitRegion(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
             const llvm::LoopInfo& loops)
      : loop_(loop), dominators_(dominators), loops_(loops) {
    llvm::SmallVector<llvm::Loop::Edge, 8> exits;
    loop.getExitEdges(exits);
    for (const auto& [from, to] : exits) {
      if (!ends_at(*from, *to)) blocks_.insert(to);
    }
    // The set grows while it is walked.
    for (size_t i = 0; i < blocks_.size(); ++i) visit(blocks_[i]);
  }

  // Gives returns in the middle of the region a block of their own: the end behind a way out.
  void split_returns() {
    for (llvm::BasicBlock* block : blocks_) {
      if (!llvm::isa<llvm::ReturnInst>(block->getTerminator())) continue;
      ways_out_.insert({block, block->splitBasicBlock(block->getTerminator(), "return")});
    }
  }

  bool depends_on_rounds(const FunctionSet& reaching) const {
    return llvm::any_of(blocks_, [&](const llvm::BasicBlock* block) {
      return block_reaches(*block, reaching, codegen::depends_on_rounds);
    });
  }
  const llvm::SetVector<Edge>& ways_out() const { return ways_out_; }

 private:
  void visit(llvm::BasicBlock* block) {
    for (llvm::BasicBlock* next : llvm::successors(block)) {
      if (ends_at(*block, *next)) {
        ways_out_.insert({block, next});
      } else {
        blocks_.insert(next);
      }
    }
  }

  // Whether `to` belongs to the code after the loop. The end of another loop, one that stands in
  // the branch itself, does not.
  bool ends_at(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
    if (!dominators_.dominates(loop_.getHeader(), &to)) return true;
    if (!is_named_end(to)) return false;
    if (to.getName().starts_with("return")) return true;
    const llvm::Loop* inner = loops_.getLoopFor(&from);
    bool leaves_other_loop =
        inner && !inner->contains(&loop_) && !loop_.contains(inner) && !inner->contains(&to);
    return !leaves_other_loop;
  }

  const llvm::Loop& loop_;
  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  llvm::SetVector<llvm::BasicBlock*> blocks_;
  llvm::SetVector<Edge> ways_out_;
};

void hold(const Edge& way_out, llvm::BasicBlock& header) {
  auto [from, to] = way_out;
  auto* held = llvm::BasicBlock::Create(from->getContext(), "held", from->getParent(), to);
  from->getTerminator()->replaceSuccessorWith(to, held);
  to->replacePhiUsesWith(from, held);
  llvm::IRBuilder<> builder(held);
  llvm::Value* condition = builder.CreateCall(declare_loop_held(*from->getModule()));
  builder.CreateCondBr(condition, to, &header);
  for (llvm::PHINode& phi : header.phis()) {
    phi.addIncoming(llvm::PoisonValue::get(phi.getType()), held);
  }
}

// Holds the exits of one loop, the innermost that needs it; false when none does.
bool hold_one_loop(llvm::Function& function, const FunctionSet& reaching) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::Loop*, 4> outer_first = loops.getLoopsInPreorder();
  for (const llvm::Loop* loop : llvm::reverse(outer_first)) {
    ExitRegion region(*loop, dominators, loops);
    if (!region.depends_on_rounds(reaching)) continue;
    region.split_returns();
    if (region.ways_out().empty()) continue;
    for (const Edge& way_out : region.ways_out()) hold(way_out, *loop->getHeader());
    return true;
  }
  return false;
}

}  // namespace

Result<void> hold_loop_exits(KernelBuild& build) {
  std::vector<llvm::Function*> order = callees_first(build.module);
  FunctionSet reaching = functions_reaching(order, depends_on_rounds);
  for (llvm::Function* function : order) {
    if (!reaching.contains(function)) continue;
    // Held branches are part of their loop, so each loop is held once.
    while (hold_one_loop(*function, reaching)) {
    }
  }
  return {};
}

Result<void> release_loop_exits(KernelBuild& build) {
  llvm::Function* held = build.module.getFunction(kLoopHeldName);
  if (!held) return {};
  for (llvm::User* user : llvm::make_early_inc_range(held->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(llvm::ConstantInt::getTrue(call->getContext()));
    call->eraseFromParent();
  }
  held->eraseFromParent();
  return {};
}

}  // namespace assay::codegen
