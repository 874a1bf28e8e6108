// Flags beside a variable in memory: which of its parts have no value.
#pragma once

#include "codegen/checks/thread_places.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// A flag for each part of the size of the smallest number. All flags are 0 at first.
class VariableFlags {
 public:
  static bool can_watch(const llvm::AllocaInst& variable);

  explicit VariableFlags(llvm::AllocaInst& variable);

  // All of these are about `bytes` at `address`, which lies in the variable. What is out of bounds
  // is for others to tell.
  void write(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes,
             llvm::Value* is_unset);
  // As `other` has them at `source`; all 0 where its parts have another size.
  void copy(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes, VariableFlags& other,
            llvm::Value* source);
  // Whether any part has no value; null where that are too many to look at.
  llvm::Value* read(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes);

  // Nothing of the variable has a value.
  void forget(llvm::IRBuilder<>& builder);

  // Which number of `bytes` lies at `address`.
  llvm::Value* number_at(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes);
  uint64_t bytes() const { return bytes_; }

 private:
  uint64_t parts(uint64_t bytes) const { return (bytes + part_ - 1) / part_; }
  llvm::Value* flag(llvm::IRBuilder<>& builder, llvm::Value* address);

  llvm::AllocaInst& variable_;
  const llvm::DataLayout& layout_;
  uint64_t part_ = 1;
  uint64_t bytes_ = 0;
  uint64_t room_ = 0;
  llvm::AllocaInst* flags_ = nullptr;
  ThreadPlaces places_;
};

}  // namespace assay::codegen
