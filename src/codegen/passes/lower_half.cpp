// Widen, call, narrow.
#include "codegen/passes/lower_half.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

bool is_exact_in_float(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::sqrt:  // correctly rounded: float has more than twice half's bits
      return true;
    default: return false;
  }
}

bool is_half(const llvm::Value* value) { return value->getType()->getScalarType()->isHalfTy(); }

llvm::Value* widen(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* wide = builder.getFloatTy();
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(value->getType())) {
    wide = llvm::VectorType::get(wide, vector);
  }
  return builder.CreateFPExt(value, wide);
}

// The replacement of `instruction`, or null when it stays.
llvm::Value* lower(llvm::Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
    if (!is_half(compare->getOperand(0))) return nullptr;
    builder.setFastMathFlags(compare->getFastMathFlags());
    return builder.CreateFCmp(compare->getPredicate(), widen(builder, compare->getOperand(0)),
                              widen(builder, compare->getOperand(1)));
  }
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || !is_half(call) || !is_exact_in_float(call->getIntrinsicID())) return nullptr;
  builder.setFastMathFlags(call->getFastMathFlags());
  std::vector<llvm::Value*> arguments;
  for (llvm::Value* argument : call->args()) arguments.push_back(widen(builder, argument));
  llvm::Value* result =
      builder.CreateIntrinsic(arguments[0]->getType(), call->getIntrinsicID(), arguments);
  return builder.CreateFPTrunc(result, call->getType());
}

}  // namespace

Result<void> lower_half(KernelBuild& build) {
  for (llvm::Function& function : build.module) {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Value* replacement = lower(instruction);
      if (!replacement) continue;
      instruction.replaceAllUsesWith(replacement);
      instruction.eraseFromParent();
    }
  }
  return {};
}

}  // namespace assay::codegen
