// Offsets in order of the variables' numbers, each aligned as declared.
#include "codegen/passes/assign_threadgroup_memory.h"

#include <algorithm>
#include <map>

#include "codegen/intrinsics.h"
#include "fmt/format.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace assay::codegen {
namespace {

constexpr uint64_t kArenaAlignment = 256;  // what executors guarantee
constexpr uint64_t kTotalGranule = 16;     // dynamic arguments behind the variables start aligned

struct Variable {
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  uint64_t offset = 0;
  std::vector<llvm::CallInst*> calls;
};

uint64_t argument(const llvm::CallInst& call, unsigned index) {
  return llvm::cast<llvm::ConstantInt>(call.getArgOperand(index))->getZExtValue();
}

std::map<uint64_t, Variable> list_variables(llvm::Function& memory) {
  std::map<uint64_t, Variable> variables;
  for (llvm::User* user : memory.users()) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    Variable& variable = variables[argument(*call, 0)];
    variable.bytes = std::max(variable.bytes, argument(*call, 1));
    variable.alignment = std::max(variable.alignment, argument(*call, 2));
    variable.calls.push_back(call);
  }
  return variables;
}

}  // namespace

Result<void> assign_threadgroup_memory(KernelBuild& build) {
  build.info.static_threadgroup_bytes = 0;
  llvm::Function* memory = build.module.getFunction(kThreadgroupMemoryName);
  if (!memory) return {};
  uint64_t total = 0;
  llvm::FunctionCallee arena = declare_threadgroup_arena(build.module);
  for (auto& [number, variable] : list_variables(*memory)) {
    if (!llvm::isPowerOf2_64(variable.alignment) || variable.alignment > kArenaAlignment) {
      return build.error(
          fmt::format("a threadgroup variable asks for an alignment of {} bytes; "
                      "at most {} are possible",
                      variable.alignment, kArenaAlignment));
    }
    variable.offset = llvm::alignTo(total, variable.alignment);
    total = variable.offset + variable.bytes;
    build.threadgroup_variables.push_back({variable.offset, variable.bytes});
    for (llvm::CallInst* call : variable.calls) {
      llvm::IRBuilder<> builder(call);
      llvm::Value* address = builder.CreateInBoundsGEP(
          builder.getInt8Ty(), builder.CreateCall(arena), builder.getInt64(variable.offset));
      call->replaceAllUsesWith(address);
      call->eraseFromParent();
    }
  }
  memory->eraseFromParent();
  build.info.static_threadgroup_bytes = llvm::alignTo(total, kTotalGranule);
  return {};
}

}  // namespace assay::codegen
