// See runtime_call.h.
#include "codegen/runtime_call.h"

#include "llvm/IR/InstIterator.h"

namespace assay::codegen {

llvm::CallInst* emit_runtime_call(llvm::IRBuilder<>& builder, llvm::StringRef name,
                                  llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, llvm::FunctionType::get(result, types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
  return builder.CreateCall(callee, arguments);
}

llvm::AllocaInst* allocate_words(llvm::IRBuilder<>& builder, unsigned count) {
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt64Ty(), count));
}

std::vector<llvm::CallInst*> list_intrinsic_calls(
    llvm::Function& function, const std::function<bool(IntrinsicKind)>& accept) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (intrinsic && accept(intrinsic->kind)) {
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
  }
  return calls;
}

}  // namespace assay::codegen
