// See lower_prints.h. Words go through memory: there are more than registers for arguments.
#include "codegen/passes/lower_prints.h"

#include "codegen/intrinsics.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {

void emit_runtime_print(llvm::IRBuilder<>& builder, llvm::Value* group, llvm::Value* thread_index,
                        llvm::ArrayRef<llvm::Value*> operands) {
  constexpr unsigned kFirstWord = 3;  // behind format, count and types
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::BasicBlock& entry = function->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  auto count = static_cast<unsigned>(operands.size()) - kFirstWord;
  llvm::AllocaInst* words =
      at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt64Ty(), count));
  for (unsigned i = 0; i < count; ++i) {
    builder.CreateStore(operands[kFirstWord + i],
                        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), words, i));
  }
  std::vector<llvm::Value*> arguments = {group,       thread_index, operands[0],
                                         operands[1], operands[2],  words};
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee = function->getParent()->getOrInsertFunction(
      "assay_print", llvm::FunctionType::get(builder.getVoidTy(), types, false));
  builder.CreateCall(callee, arguments);
}

void lower_prints(llvm::Function& function, llvm::Value* group, llvm::Value* thread_index) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (intrinsic && intrinsic->kind == IntrinsicKind::kPrint) {
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    }
  }
  for (llvm::CallInst* call : calls) {
    llvm::IRBuilder<> builder(call);
    std::vector<llvm::Value*> operands(call->arg_begin(), call->arg_end());
    emit_runtime_print(builder, group, thread_index, operands);
    call->eraseFromParent();
  }
}

}  // namespace assay::codegen
