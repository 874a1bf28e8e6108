// See split_vectors.h.
#include "codegen/passes/split_vectors.h"

#include "codegen/llvm_pipeline.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

bool has_vectors(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return instruction.getType()->isVectorTy() ||
           llvm::any_of(instruction.operand_values(), [](const llvm::Value* operand) {
             return operand->getType()->isVectorTy();
           });
  });
}

}  // namespace

Result<void> split_vectors(KernelBuild& build) {
  for (llvm::Function& function : build.module) {
    if (has_vectors(function)) build.pipeline.split_vectors(function);
  }
  return {};
}

}  // namespace assay::codegen
