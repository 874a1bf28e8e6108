// Which operations and loads an operand of a watched operation comes from, for the checker to know
// what a NaN or infinity was made by.
#pragma once

#include <vector>

#include "kernel/checks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

namespace assay::codegen {

class FloatSources {
 public:
  // A kCheckFloat, whose operation has the result and the operands that it looks at.
  void add_operation(llvm::CallInst& check, uint32_t site);
  void add_load(const llvm::Instruction& load, uint32_t site) { loads_[&load] = site; }
  // `number` is stored or made something else at the site: a float or its bits.
  void add_use(llvm::Value* number, uint32_t site) { uses_.push_back({site, number}); }

  // The same of the first word of a condition, which is needed no more.
  void take_use(llvm::CallInst& condition, uint32_t site);

  // Writes down what is known of all sites, when all are known.
  void note(kernel::CheckTable& table);

 private:
  struct Operation {
    uint32_t site;
    llvm::CallInst* check;
  };
  struct NumberUse {
    uint32_t site;
    llvm::WeakTrackingVH number;
  };
  using Values = llvm::SmallVector<llvm::Value*, 8>;

  kernel::FloatSource find(llvm::Value* number);
  const Values& stored_to(const llvm::AllocaInst& variable);

  std::vector<Operation> operations_;
  std::vector<NumberUse> uses_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<uint32_t, 1>> made_by_;
  llvm::DenseMap<const llvm::Value*, uint32_t> loads_;
  llvm::DenseMap<const llvm::AllocaInst*, Values> stored_;
};

// What the condition of a kNotFiniteCast, as mark-arithmetic makes it, looks at. Conversions
// saturate: a program that limits or compares the integer may mean infinity, but never NaN.
kernel::SiteKind settle_cast(llvm::CallInst& condition);

}  // namespace assay::codegen
