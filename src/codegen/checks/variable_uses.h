// What a function does with one of its thread's variables.
#pragma once

#include <vector>

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// Needs the variables and types that clang wrote.
class VariableUses {
 public:
  explicit VariableUses(llvm::AllocaInst& variable);

  // Something may write the variable that is not among the writes.
  bool is_lost() const { return !is_followed_; }
  uint64_t bytes() const { return bytes_; }

  // Of one number each.
  const std::vector<llvm::LoadInst*>& reads() const { return reads_; }

  struct Write {
    llvm::Instruction* instruction;
    llvm::Value* address;
    uint64_t bytes;  // of the whole variable where that is not known
  };
  // Calls that are given the address are writes of the whole variable.
  const std::vector<Write>& writes() const { return writes_; }

 private:
  bool follow(llvm::Value& address);
  bool note(llvm::Value& address, llvm::User& user);
  bool note_store(llvm::Value& address, llvm::StoreInst& store);
  bool note_block(llvm::Value& address, llvm::MemIntrinsic& block);
  bool is_one_part(const llvm::LoadInst& load) const;

  llvm::AllocaInst& variable_;
  const llvm::DataLayout& layout_;
  uint64_t bytes_;
  std::vector<llvm::LoadInst*> reads_;
  std::vector<Write> writes_;
  bool is_followed_;
};

// The variables of a function that the user declared, and not clang.
std::vector<llvm::AllocaInst*> list_user_variables(llvm::Function& function);

}  // namespace assay::codegen
