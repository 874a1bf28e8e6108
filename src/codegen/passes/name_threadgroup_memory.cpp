// Renumbering of assay.threadgroup.memory calls.
#include "codegen/passes/name_threadgroup_memory.h"

#include <map>

#include "codegen/intrinsics.h"
#include "fmt/format.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

Result<void> name_threadgroup_memory(KernelBuild& build) {
  llvm::Function* memory = build.module.getFunction(kThreadgroupMemoryName);
  if (!memory) return {};
  std::map<std::pair<const llvm::Function*, uint64_t>, uint32_t> numbers;
  // Uses come in no particular order; offsets must not depend on it.
  for (llvm::Function& function : build.module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || call->getCalledFunction() != memory) continue;
        for (llvm::Value* argument : call->args()) {
          if (llvm::isa<llvm::ConstantInt>(argument)) continue;
          return build.internal_error(fmt::format(
              "a threadgroup variable of '{}' has no constant size", readable_name(function)));
        }
        uint64_t id = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
        uint32_t number = numbers.emplace(std::pair(&function, id), numbers.size()).first->second;
        call->setArgOperand(0, llvm::ConstantInt::get(call->getArgOperand(0)->getType(), number));
      }
    }
  }
  return {};
}

}  // namespace assay::codegen
