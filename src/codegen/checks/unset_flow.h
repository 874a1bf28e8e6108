// Where marks of unset variables (unset_marks.h) get to in a kernel.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {

// The function must be flat: no calls of others, and variables are values where they can be.
class UnsetFlow {
 public:
  explicit UnsetFlow(llvm::Function& kernel);

  // Values that may be what nobody wrote.
  const llvm::SetVector<llvm::Value*>& values() const { return values_; }
  // Variables in memory whose parts may have no value.
  const llvm::SetVector<llvm::AllocaInst*>& variables() const { return variables_; }

  // The variable that the address lies in, if all that happens to it is known.
  llvm::AllocaInst* find_variable(llvm::Value* address) const;

  // Copying a value passes it on; so do choices, casts that keep its bits and exchanges between
  // lanes. Checks do not count.
  bool passes_on(const llvm::Use& use) const;

 private:
  void reach(llvm::Value* value);
  void reach_variable(llvm::AllocaInst* variable);
  void follow(llvm::Value& value);
  void follow(llvm::AllocaInst& variable);

  llvm::SetVector<llvm::Value*> values_;
  llvm::SetVector<llvm::AllocaInst*> variables_;
  mutable llvm::DenseMap<const llvm::AllocaInst*, bool> is_known_;
};

// Loads, stores and blocks of memory at places inside `variable`.
std::vector<llvm::Instruction*> list_accesses(llvm::AllocaInst& variable);

}  // namespace assay::codegen
