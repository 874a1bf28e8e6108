// The order in which one simdgroup visits the blocks of a kernel when its lanes go different ways.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "codegen/vector/divergence.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"

namespace assay::codegen {

// Whether the source says that hardly any thread comes here, as math functions do of the arguments
// that need special care.
bool is_unlikely(const llvm::BasicBlock& block);

struct BlockPlan {
  // Blocks that lanes wait for while this one runs, as positions in the order. Some or all of this
  // block's lanes may be among those: it is skipped when it has no lane.
  std::set<unsigned> waiting;
  // Where the simdgroup goes instead of into each successor; one entry for all of them where lanes
  // part. Lanes for other blocks wait.
  std::vector<llvm::BasicBlock*> next;
  // Lanes may be waiting for this block when it is reached. Otherwise every way into it leads right
  // here, and all its lanes come the same way.
  bool is_waited_for = false;
  // The end of a round in a loop that lanes leave one by one: goes back while a lane is left.
  const llvm::Loop* divergent_loop = nullptr;
};

// Branches that all lanes take alike stay branches. Where lanes part, the simdgroup visits both
// sides, the earlier block of `order` first, until all lanes have met again.
class LinearPlan {
 public:
  LinearPlan(const std::vector<llvm::BasicBlock*>& order, const llvm::LoopInfo& loops,
             const Divergence& divergence);

  const BlockPlan& of(const llvm::BasicBlock* block) const { return plans_.at(index(block)); }
  // A loop that the analysis takes for uniform while lanes would have to wait behind it.
  const llvm::Loop* contradiction() const { return contradiction_; }
  // Where a block that has no lane is left to; null when that cannot happen.
  llvm::BasicBlock* skip_target(const llvm::BasicBlock* block) const;

 private:
  unsigned index(const llvm::BasicBlock* block) const { return position_.lookup(block); }
  void plan(llvm::BasicBlock* block);
  llvm::BasicBlock* visit_first(std::set<unsigned> targets);
  void check_uniform_loops(const llvm::BasicBlock* block, const llvm::BasicBlock* target,
                           const llvm::BasicBlock* next);

  const std::vector<llvm::BasicBlock*>& order_;
  const llvm::LoopInfo& loops_;
  const Divergence& divergence_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> position_;
  std::vector<BlockPlan> plans_;
  const llvm::Loop* contradiction_ = nullptr;
};

}  // namespace assay::codegen
