// Which values differ between lanes, and where lanes part and meet.
#pragma once

#include "codegen/vector/shape.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// What is known before looking at the code.
struct LaneAssumptions {
  // The lanes are neighbours along x: they differ in no other coordinate.
  bool rows = false;
  // Lane 0's index in the threadgroup is a multiple of the simdgroup's width.
  bool starts_aligned = true;
  // Indices of active lanes do not wrap around; checked code is about to find out.
  bool trusts_indices = true;
  // Bytes between the copies of a private variable that neighbouring lanes own.
  llvm::DenseMap<const llvm::AllocaInst*, uint64_t> private_strides;
  // Blocks at whose ends lanes take one way, or else the row is left to other code: row_guards.h.
  llvm::DenseSet<const llvm::BasicBlock*> guards;
};

// Of a function in the normal form of normalise_lanes: reducible, loops with one preheader, one
// latch and exit blocks of their own, no switches.
class Divergence {
 public:
  // `order` as suspend_order gives it. Loops in `forced` count as left by some lanes before others.
  Divergence(llvm::Function& function, const llvm::LoopInfo& loops,
             const std::vector<llvm::BasicBlock*>& order, const LaneAssumptions& assumptions,
             const llvm::DenseSet<const llvm::Loop*>& forced);

  // Where the value is made.
  Shape shape(const llvm::Value* value) const;
  // As an instruction in `user` sees it: lanes that left a loop in different rounds hold values of
  // different rounds.
  Shape shape_at(const llvm::Value* value, const llvm::BasicBlock* user) const;
  // True if `value` leaves, on its way to `user`, a loop that lanes leave in different rounds.
  bool leaves_divergent_loop(const llvm::Value* value, const llvm::BasicBlock* user) const;

  // Lanes may take different ways at the end of `block`.
  bool is_divergent(const llvm::BasicBlock* block) const { return branches_.contains(block); }
  bool is_divergent(const llvm::Loop* loop) const { return divergent_loops_.contains(loop); }
  // Whenever a lane comes to `block`, all do that the function started with.
  bool is_met_by_all(const llvm::BasicBlock* block) const { return !partial_.contains(block); }

 private:
  Shape compute(const llvm::Instruction& instruction) const;
  Shape compute_phi(const llvm::PHINode& phi) const;
  Shape compute_binary(const llvm::BinaryOperator& operation) const;
  Shape compute_cast(const llvm::CastInst& cast) const;
  Shape compute_address(const llvm::GetElementPtrInst& address) const;
  Shape compute_call(const llvm::CallInst& call) const;
  Shape combine_operands(const llvm::Instruction& instruction) const;
  bool update_values();
  bool settle_one_phi();
  bool update_branches();
  void spread(const std::vector<llvm::BasicBlock*>& starts, const llvm::BasicBlock* origin,
              const llvm::Loop* loop);
  void add_divergent_loop(const llvm::Loop* loop);
  void find_partial_blocks();

  llvm::Function& function_;
  const llvm::LoopInfo& loops_;
  const std::vector<llvm::BasicBlock*>& order_;
  const LaneAssumptions& assumptions_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> position_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::DenseSet<const llvm::BasicBlock*> branches_;
  llvm::DenseSet<const llvm::BasicBlock*> joins_;
  llvm::DenseSet<const llvm::Loop*> divergent_loops_;
  llvm::DenseSet<const llvm::BasicBlock*> partial_;
};

}  // namespace assay::codegen
