// Which checks of float operations can be made by those of later operations.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// A sum or product with NaN or infinity in it is not finite either, so that the result of `a * b +
// c` tells about both operations: only where it is not finite, the product needs to be looked at.
class JoinedFloats {
 public:
  JoinedFloats() = default;
  explicit JoinedFloats(llvm::Function& thread);

  // This check (an assay.check.float) is made by a later one of its block.
  bool is_left_to_other(const llvm::CallInst& check) const { return followed_.contains(&check); }
  // The checks that this one makes before its own, in the order of the operations.
  llvm::SmallVector<llvm::CallInst*, 4> made_by(llvm::CallInst& check) const;

 private:
  void join(llvm::BasicBlock& block);

  llvm::DenseMap<const llvm::CallInst*, llvm::SmallVector<llvm::CallInst*, 2>> leaders_;
  llvm::DenseMap<const llvm::CallInst*, llvm::CallInst*> followed_;
};

}  // namespace assay::codegen
