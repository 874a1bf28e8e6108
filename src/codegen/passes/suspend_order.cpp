// Post-order per loop level, with inner loops as single nodes.
#include "codegen/passes/suspend_order.h"

#include <algorithm>

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {
namespace {

// One level: the function (loop == null) or a loop. A node is a block of this level itself, or the
// header of a loop directly inside, which stands for that loop.
class Level {
 public:
  Level(const llvm::Loop* loop, const llvm::LoopInfo& loops) : loop_(loop), loops_(loops) {}

  std::vector<llvm::BasicBlock*> nodes_in_order(llvm::BasicBlock* first) {
    struct Visit {
      llvm::BasicBlock* node;
      std::vector<llvm::BasicBlock*> successors;
      size_t next = 0;
    };
    std::vector<llvm::BasicBlock*> order;
    llvm::DenseSet<llvm::BasicBlock*> seen{first};
    std::vector<Visit> stack;
    stack.push_back({first, successors(first)});
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == top.successors.size()) {
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      llvm::BasicBlock* node = top.successors[top.next++];
      if (seen.insert(node).second) stack.push_back({node, successors(node)});
    }
    std::reverse(order.begin(), order.end());
    // Where the function ends comes last: no way to there says so of loops that never end.
    std::ranges::stable_partition(order, [](const llvm::BasicBlock* block) {
      return !llvm::isa<llvm::ReturnInst>(block->getTerminator());
    });
    return order;
  }

  // The loop that `node` stands for, or null.
  const llvm::Loop* inner_loop(llvm::BasicBlock* node) const {
    const llvm::Loop* inner = loops_.getLoopFor(node);
    if (inner == loop_) return nullptr;
    while (inner->getParentLoop() != loop_) inner = inner->getParentLoop();
    return inner;
  }

 private:
  std::vector<llvm::BasicBlock*> successors(llvm::BasicBlock* node) const {
    llvm::SmallVector<llvm::BasicBlock*, 8> targets;
    if (const llvm::Loop* inner = inner_loop(node)) {
      inner->getExitBlocks(targets);
    } else {
      targets.append(llvm::succ_begin(node), llvm::succ_end(node));
    }
    std::vector<llvm::BasicBlock*> nodes;
    for (llvm::BasicBlock* target : targets) {
      if (loop_ && !loop_->contains(target)) continue;
      const llvm::Loop* inner = inner_loop(target);
      nodes.push_back(inner ? inner->getHeader() : target);
    }
    return nodes;
  }

  const llvm::Loop* loop_;
  const llvm::LoopInfo& loops_;
};

void append_level(const llvm::Loop* loop, llvm::BasicBlock* first, const llvm::LoopInfo& loops,
                  std::vector<llvm::BasicBlock*>& order) {
  Level level(loop, loops);
  for (llvm::BasicBlock* node : level.nodes_in_order(first)) {
    if (const llvm::Loop* inner = level.inner_loop(node)) {
      append_level(inner, inner->getHeader(), loops, order);
    } else {
      order.push_back(node);
    }
  }
}

}  // namespace

std::vector<llvm::BasicBlock*> suspend_order(llvm::Function& function,
                                             const llvm::LoopInfo& loops) {
  std::vector<llvm::BasicBlock*> order;
  append_level(nullptr, &function.getEntryBlock(), loops, order);
  return order;
}

}  // namespace assay::codegen
