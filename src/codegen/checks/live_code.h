// Which code of a kernel has a part in what it does, checks left aside.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// What a vector operation makes of a component that nobody looks at is dead, though checks watch
// it.
class LiveCode {
 public:
  explicit LiveCode(llvm::Function& kernel);
  bool is_live(const llvm::Instruction& instruction) const { return live_.contains(&instruction); }

 private:
  void keep(llvm::Value* value);

  llvm::DenseSet<const llvm::Instruction*> live_;
  std::vector<llvm::Instruction*> pending_;
  // What is written to a variable counts if anything of the variable is read.
  llvm::DenseMap<const llvm::Value*, std::vector<llvm::Instruction*>> writers_;
};

}  // namespace assay::codegen
