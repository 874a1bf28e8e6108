// Code that knows, while a kernel runs, whether a value is what nobody wrote.
#pragma once

#include <memory>

#include "codegen/checks/unset_flow.h"
#include "codegen/checks/variable_flags.h"
#include "llvm/IR/Dominators.h"

namespace assay::codegen {

class UnsetConditions {
 public:
  // Puts flags beside the variables of `flow` and keeps them up to date. What is told at one of
  // `told` is not told again behind it.
  UnsetConditions(llvm::Function& kernel, const UnsetFlow& flow,
                  const std::vector<const llvm::Use*>& told);

  // i1, made where the value is made.
  llvm::Value* of(llvm::Value* value, llvm::Instruction& user);

  // Null for variables without flags.
  VariableFlags* flags(llvm::AllocaInst* variable) const;

 private:
  llvm::Value* of(llvm::Value* value);
  bool is_told_before(llvm::Value* value, llvm::Instruction& user) const;
  void keep_up(llvm::Instruction& access, llvm::AllocaInst& variable);
  void keep_up(llvm::MemIntrinsic& block, llvm::AllocaInst& variable);
  llvm::Value* emit(llvm::Instruction& made);
  llvm::Value* emit_phi(llvm::PHINode& phi);
  llvm::Value* emit_shuffle(llvm::CallInst& shuffle);

  const UnsetFlow& flow_;
  llvm::DominatorTree dominators_;
  // By what was made, without casts around it.
  llvm::DenseMap<const llvm::Value*, std::vector<llvm::Instruction*>> told_;
  llvm::DenseMap<llvm::AllocaInst*, std::unique_ptr<VariableFlags>> flags_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> conditions_;
};

}  // namespace assay::codegen
