// A select in front of every division.
#include "codegen/passes/guard_division.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

bool is_signed(const llvm::BinaryOperator& operation) {
  return operation.getOpcode() == llvm::Instruction::SDiv ||
         operation.getOpcode() == llvm::Instruction::SRem;
}

void guard(llvm::BinaryOperator& division) {
  llvm::Value* divisor = division.getOperand(1);
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor)) {
    if (!constant->isZero() && !(is_signed(division) && constant->isMinusOne())) return;
  }
  llvm::IRBuilder<> builder(&division);
  llvm::Type* type = divisor->getType();
  // A value that may be undefined must be the same one in the test and in the division.
  divisor = builder.CreateFreeze(divisor);
  llvm::Value* traps = builder.CreateIsNull(divisor);
  if (is_signed(division)) {
    llvm::Value* dividend = builder.CreateFreeze(division.getOperand(0));
    division.setOperand(0, dividend);
    llvm::Value* smallest =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
    llvm::Value* overflows =
        builder.CreateAnd(builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
                          builder.CreateICmpEQ(dividend, smallest));
    traps = builder.CreateOr(traps, overflows);
  }
  division.setOperand(1, builder.CreateSelect(traps, llvm::ConstantInt::get(type, 1), divisor));
}

}  // namespace

Result<void> guard_division(KernelBuild& build) {
  std::vector<llvm::BinaryOperator*> divisions;
  for (llvm::Function& function : build.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      if (operation && operation->isIntDivRem()) divisions.push_back(operation);
    }
  }
  for (llvm::BinaryOperator* division : divisions) guard(*division);
  return {};
}

}  // namespace assay::codegen
