// A table of names.
#include "codegen/passes/use_intrinsics.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

namespace assay::codegen {
namespace {

// `name` without the f that marks float.
llvm::Intrinsic::ID find_operation(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::Intrinsic::ID>(name)
      .Case("fma", llvm::Intrinsic::fma)
      .Case("sqrt", llvm::Intrinsic::sqrt)
      .Case("fabs", llvm::Intrinsic::fabs)
      .Case("floor", llvm::Intrinsic::floor)
      .Case("ceil", llvm::Intrinsic::ceil)
      .Case("trunc", llvm::Intrinsic::trunc)
      .Case("rint", llvm::Intrinsic::rint)
      .Case("nearbyint", llvm::Intrinsic::nearbyint)
      .Case("round", llvm::Intrinsic::round)
      .Case("roundeven", llvm::Intrinsic::roundeven)
      .Case("copysign", llvm::Intrinsic::copysign)
      .Case("fmin", llvm::Intrinsic::minnum)
      .Case("fmax", llvm::Intrinsic::maxnum)
      .Default(llvm::Intrinsic::not_intrinsic);
}

llvm::Value* replacement(llvm::CallInst& call, llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  std::vector<llvm::Value*> arguments(call.args().begin(), call.args().end());
  llvm::CallInst* result = nullptr;
  if (name == "fmod") {
    llvm::Value* remainder = builder.CreateFRem(arguments[0], arguments[1]);
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(remainder)) made->copyFastMathFlags(&call);
    return remainder;
  }
  if (name == "ldexp") {
    result = builder.CreateIntrinsic(llvm::Intrinsic::ldexp,
                                     {call.getType(), arguments[1]->getType()}, arguments);
  } else if (llvm::Intrinsic::ID id = find_operation(name); id != llvm::Intrinsic::not_intrinsic) {
    result = builder.CreateIntrinsic(id, {call.getType()}, arguments);
  }
  if (result) result->copyFastMathFlags(&call);
  return result;
}

}  // namespace

Result<void> use_intrinsics(KernelBuild& build) {
  for (llvm::Function& function : llvm::make_early_inc_range(build.module)) {
    llvm::Type* type = function.getReturnType();
    if (!function.isDeclaration() || !(type->isFloatTy() || type->isDoubleTy())) continue;
    llvm::StringRef name = function.getName();
    if (function.isIntrinsic() || (type->isFloatTy() && !name.consume_back("f"))) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      llvm::Value* value = replacement(*call, name);
      if (!value) continue;
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    if (function.use_empty()) function.eraseFromParent();
  }
  return {};
}

}  // namespace assay::codegen
