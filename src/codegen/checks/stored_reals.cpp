// See stored_reals.h.
#include "codegen/checks/stored_reals.h"

#include "codegen/checks/float_bits.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {
namespace {

// A constant NaN may be what LLVM makes of a variable without a value.
bool is_written_down(const llvm::Value* value) {
  const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value);
  return number && number->getValueAPF().isInfinity();
}

// A choice between numbers of which some are written down.
llvm::Value* emit_for_select(llvm::SelectInst& choice) {
  llvm::IRBuilder<> builder(&choice);
  llvm::Value* yes = emit_is_not_finite_unmeant(builder, choice.getTrueValue());
  llvm::Value* no = emit_is_not_finite_unmeant(builder, choice.getFalseValue());
  return builder.CreateSelect(choice.getCondition(), yes, no);
}

llvm::Value* emit_for_phi(llvm::PHINode& choice) {
  llvm::IRBuilder<> builder(&choice);
  llvm::PHINode* chosen = builder.CreatePHI(builder.getInt1Ty(), choice.getNumIncomingValues());
  // A block that comes here by two ways counts twice and must bring the same.
  llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> brought;
  for (unsigned i = 0; i < choice.getNumIncomingValues(); ++i) {
    llvm::Value* value = choice.getIncomingValue(i);
    llvm::BasicBlock* before = choice.getIncomingBlock(i);
    llvm::Value*& is_wrong = brought[before];
    builder.SetInsertPoint(before->getTerminator());
    if (!is_wrong) {
      is_wrong = is_written_down(value) ? builder.getFalse() : is_not_finite(builder, value);
    }
    chosen->addIncoming(is_wrong, before);
  }
  return chosen;
}

}  // namespace

llvm::Value* emit_is_not_finite_unmeant(llvm::IRBuilder<>& builder, llvm::Value* real) {
  if (is_written_down(real)) return builder.getFalse();
  auto* select = llvm::dyn_cast<llvm::SelectInst>(real);
  if (select && llvm::any_of(select->operands(), is_written_down)) return emit_for_select(*select);
  auto* phi = llvm::dyn_cast<llvm::PHINode>(real);
  if (phi && llvm::any_of(phi->incoming_values(), is_written_down)) return emit_for_phi(*phi);
  return is_not_finite(builder, real);
}

}  // namespace assay::codegen
