// Loads that a loop repeats at even distances: their checks can be made once, in front of the loop.
#pragma once

#include <optional>

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ValueHandle.h"

namespace assay::codegen {

// What one thread's load does while its loop runs. All values stand in front of the loop, and
// follow when a load they come from gets a guard.
struct Sweep {
  llvm::WeakTrackingVH first = {};      // ptr: address in the first round
  llvm::WeakTrackingVH second = {};     // and in the second, whether there is one or not
  llvm::WeakTrackingVH last = {};       // and in the last one
  llvm::WeakTrackingVH rounds = {};     // i64, may be 0
  llvm::Instruction* before = nullptr;  // where the loop begins
};

// Of one function, whose blocks must not change while sweeps are looked for.
class LoopSweeps {
 public:
  LoopSweeps(llvm::Function& function, const llvm::TargetLibraryInfo& library);

  // Empty for loads outside of loops, and where the compiler cannot foresee addresses and rounds,
  // where a round may go without the load, or where threads wait for each other in the loop.
  // Addresses are linear if the three of the sweep are: an index of 32 bits may wrap around.
  // `object` is a value that the check needs as well.
  std::optional<Sweep> find(llvm::LoadInst& load, const llvm::Value* object);

 private:
  const llvm::SCEV* count_rounds(const llvm::Loop& loop, const llvm::BasicBlock& block);
  bool is_line(const llvm::SCEV* expression, const llvm::Loop& loop, bool may_extend);
  const llvm::SCEV* at_round(const llvm::SCEV* expression, const llvm::Loop& loop,
                             const llvm::SCEV* round);

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
};

}  // namespace assay::codegen
