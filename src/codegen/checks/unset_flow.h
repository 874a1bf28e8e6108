// Where marks of unset variables (unset_marks.h) get to in a kernel.
#pragma once

#include "codegen/checks/unset_memory.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {

// The function must be flat: no calls of others, and variables are values where they can be.
class UnsetFlow {
 public:
  explicit UnsetFlow(const KernelBuild& build);

  // Values that may be what nobody wrote.
  const llvm::SetVector<llvm::Value*>& values() const { return values_; }
  // Variables in memory whose parts may have no value.
  const llvm::SetVector<llvm::AllocaInst*>& variables() const { return variables_; }

  // Stores of such values to threadgroup memory, from where all threads may load them.
  struct SharedStore {
    SharedPlace place;
    llvm::StoreInst* store;
  };
  const std::vector<SharedStore>& shared_stores() const { return shared_stores_; }
  // Where a load of values() reads what such a store left; nothing for other loads.
  std::optional<SharedPlace> find_shared_source(const llvm::LoadInst& load) const;

  // The variable that the address lies in, if all that happens to it is known.
  llvm::AllocaInst* find_variable(llvm::Value* address) const;

  // Copying a value passes it on; so do choices, casts that keep its bits and exchanges between
  // lanes. Checks do not count.
  bool passes_on(const llvm::Use& use) const;

 private:
  void follow_all();
  bool reach_shared(const KernelBuild& build);
  void reach(llvm::Value* value);
  void reach_variable(llvm::AllocaInst* variable);
  void follow(llvm::Value& value);
  void follow(llvm::AllocaInst& variable);

  llvm::SetVector<llvm::Value*> values_;
  llvm::SetVector<llvm::AllocaInst*> variables_;
  size_t followed_values_ = 0;
  size_t followed_variables_ = 0;
  std::vector<SharedStore> shared_stores_;
  std::vector<SharedLoad> shared_loads_;  // of places that are stored to so
  mutable llvm::DenseMap<const llvm::AllocaInst*, bool> is_known_;
};

// Loads, stores and blocks of memory at places inside `variable`.
std::vector<llvm::Instruction*> list_accesses(llvm::AllocaInst& variable);

}  // namespace assay::codegen
