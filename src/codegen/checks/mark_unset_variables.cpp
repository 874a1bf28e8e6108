// See mark_unset_variables.h.
#include "codegen/checks/mark_unset_variables.h"

#include "codegen/call_graph.h"
#include "codegen/checks/early_reads.h"
#include "codegen/checks/settled_variables.h"
#include "codegen/checks/source_place.h"
#include "codegen/checks/tell_unset_uses.h"
#include "codegen/checks/unset_flow.h"
#include "codegen/checks/unset_marks.h"
#include "codegen/checks/unset_memory.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/inline_calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace assay::codegen {
namespace {

// Pointers that are given to a function are values from here on.
void promote_parameters(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> parameters;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && variable->getAllocatedType()->isPointerTy() &&
        variable->getName().ends_with(".addr") && llvm::isAllocaPromotable(variable)) {
      parameters.push_back(variable);
    }
  }
  llvm::DominatorTree dominators(function);
  if (!parameters.empty()) llvm::PromoteMemToReg(parameters, dominators);
}

// Names with a dot are clang's own: parameters, temporary values.
bool is_declared_by_user(const llvm::AllocaInst& variable) {
  return variable.hasName() && !variable.getName().contains('.') && variable.getName() != "retval";
}

// A temporary value that a function of the user's is to fill. Returns that function.
const llvm::Function* find_filler(const llvm::AllocaInst& variable) {
  for (const llvm::User* user : variable.users()) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    const bool is_result =
        callee && call->hasStructRetAttr() && call->getArgOperand(0) == &variable;
    if (is_result && !callee->isDeclaration() && !is_standard_library(*callee)) return callee;
  }
  return nullptr;
}

bool is_in_variable(const llvm::Value* address) {
  while (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(address)) {
    address = part->getPointerOperand();
  }
  return llvm::isa<llvm::AllocaInst>(address);
}

// Adds the variables that are to be watched to `count`. Callees must be noted before.
void mark_function(llvm::Function& function, const EarlyReads& reads, uint64_t& count) {
  const uint64_t before = count;
  std::vector<llvm::LoadInst*> loads;
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && is_in_variable(load->getPointerOperand())) loads.push_back(load);
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && !variable->isArrayAllocation()) variables.push_back(variable);
  }
  for (llvm::AllocaInst* variable : variables) {
    const llvm::Function* filler = find_filler(*variable);
    const bool is_users = is_declared_by_user(*variable);
    if ((!is_users && !filler) || !reads.may_come_early(*variable)) continue;
    mark_unset(*variable, count++, is_users ? variable->getName().str() : readable_name(*filler));
  }
  if (count == before) return;
  for (llvm::LoadInst* load : loads) {
    if (keeps_other_bits(*load)) {
      mark_read(*load, UnsetMark::kFilled);
    } else if (!load->getType()->isPointerTy()) {
      mark_read(*load, UnsetMark::kRead);
    }
  }
}

// What users' functions hand one another.
void mark_calls(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && !is_standard_library(*callee)) mark_arguments(*call);
  }
}

// Calls inlined and variables turned into values, as far as they can be, but nothing simplified:
// what is computed is still computed where it was written.
Result<void> flatten(KernelBuild& build, const std::vector<llvm::Function*>& order) {
  for (llvm::Function* function : order) {
    if (Result<void> done = inline_every_call(build, *function, build.options.instruction_limit);
        !done)
      return done;
    build.pipeline.split_variables(*function);
    if (Result<void> limits = build.check_time(); !limits) return limits;
  }
  return {};
}

// Instructions of the kernel with all that it calls.
uint64_t flat_size(const std::vector<llvm::Function*>& order, const llvm::Function& kernel) {
  llvm::DenseMap<const llvm::Function*, uint64_t> sizes;
  for (const llvm::Function* function : order) {
    uint64_t size = function->getInstructionCount();
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->getCalledFunction()) size += sizes.lookup(call->getCalledFunction());
    }
    sizes[function] = size;
  }
  return sizes.lookup(&kernel);
}

}  // namespace

Result<void> mark_unset_variables(KernelBuild& build) {
  constexpr uint64_t kMaxInstructions = 200'000;
  const std::vector<llvm::Function*> order = callees_first(build.module);
  if (flat_size(order, *build.kernel) > kMaxInstructions) return {};
  EarlyReads reads;
  uint64_t count = 0;
  for (llvm::Function* function : order) {
    promote_parameters(*function);
    reads.note(*function);
    if (!is_standard_library(*function)) mark_function(*function, reads, count);
  }
  if (count == 0) return {};
  for (llvm::Function* function : order) {
    if (!is_standard_library(*function)) mark_calls(*function);
  }
  if (Result<void> done = flatten(build, order); !done) return done;
  if (!UnsetFlow(build).variables().empty()) drop_settled_marks(build);
  tell_unset_uses(build);
  for (llvm::Function* function : order) drop_marks(*function);
  return {};
}

}  // namespace assay::codegen
