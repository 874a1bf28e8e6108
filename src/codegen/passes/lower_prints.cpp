// See lower_prints.h. Words go through memory: there are more than registers for arguments.
#include "codegen/passes/lower_prints.h"

#include "codegen/runtime_call.h"

namespace assay::codegen {

void emit_runtime_print(llvm::IRBuilder<>& builder, llvm::Value* group, llvm::Value* thread_index,
                        llvm::ArrayRef<llvm::Value*> operands) {
  constexpr unsigned kFirstWord = 3;  // behind format, count and types
  auto count = static_cast<unsigned>(operands.size()) - kFirstWord;
  llvm::AllocaInst* words = allocate_words(builder, count);
  for (unsigned i = 0; i < count; ++i) {
    builder.CreateStore(operands[kFirstWord + i],
                        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), words, i));
  }
  emit_runtime_call(builder, "assay_print", builder.getVoidTy(),
                    {group, thread_index, operands[0], operands[1], operands[2], words});
}

void lower_prints(llvm::Function& function, llvm::Value* group, llvm::Value* thread_index) {
  auto is_print = [](IntrinsicKind kind) { return kind == IntrinsicKind::kPrint; };
  for (llvm::CallInst* call : list_intrinsic_calls(function, is_print)) {
    llvm::IRBuilder<> builder(call);
    std::vector<llvm::Value*> operands(call->arg_begin(), call->arg_end());
    emit_runtime_print(builder, group, thread_index, operands);
    call->eraseFromParent();
  }
}

}  // namespace assay::codegen
