// See inline_variable_uses.h.
#include "codegen/checks/inline_variable_uses.h"

#include "codegen/checks/source_place.h"
#include "codegen/checks/variable_uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace assay::codegen {
namespace {

// Calls of larger functions count as writing, as all calls do that are not inlined here.
constexpr unsigned kMaxInstructions = 20'000;

bool is_constructor(const llvm::Function& function) {
  llvm::ItaniumPartialDemangler name;
  const std::string mangled = function.getName().str();
  return !name.partialDemangle(mangled.c_str()) && name.isCtorOrDtor();
}

// Whether the call may look at what it is given. Results that are returned in memory are given
// there as well, to be written.
bool may_read(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() && !is_standard_library(*callee) &&
         !is_constructor(*callee) && !call.hasStructRetAttr();
}

// Those that no write of the whole variable comes before.
void list_early_calls(llvm::AllocaInst& variable, const llvm::DominatorTree& dominators,
                      llvm::SetVector<llvm::CallInst*>& calls) {
  const VariableUses uses(variable);
  if (uses.is_lost()) return;
  auto reader = [](llvm::Instruction* instruction) -> llvm::CallInst* {
    auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
    return call && may_read(*call) ? call : nullptr;
  };
  for (const VariableUses::Write& write : uses.writes()) {
    llvm::CallInst* call = reader(write.instruction);
    if (!call) continue;
    const bool has_value = llvm::any_of(uses.writes(), [&](const VariableUses::Write& before) {
      return before.bytes == uses.bytes() && !reader(before.instruction) &&
             dominators.dominates(before.instruction, call);
    });
    if (!has_value) calls.insert(call);
  }
}

bool is_in_variable(const llvm::Value* address) {
  while (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(address)) {
    address = part->getPointerOperand();
  }
  return llvm::isa<llvm::AllocaInst>(address);
}

bool holds_one_address(const llvm::AllocaInst& pointer, const llvm::DominatorTree& dominators) {
  if (!pointer.getAllocatedType()->isPointerTy() || !llvm::isAllocaPromotable(&pointer)) {
    return false;
  }
  const llvm::StoreInst* only = nullptr;
  for (const llvm::User* user : pointer.users()) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store) continue;
    if (only) return false;
    only = store;
  }
  if (!only || !is_in_variable(only->getValueOperand())) return false;
  return llvm::all_of(pointer.users(), [&](const llvm::User* user) {
    return !llvm::isa<llvm::LoadInst>(user) ||
           dominators.dominates(only, llvm::cast<llvm::Instruction>(user));
  });
}

// An address that is loaded and kept again shows up only once the first one is known.
void resolve_addresses(llvm::Function& function) {
  while (true) {
    llvm::DominatorTree dominators(function);
    std::vector<llvm::AllocaInst*> pointers;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* pointer = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (pointer && holds_one_address(*pointer, dominators)) pointers.push_back(pointer);
    }
    if (pointers.empty()) return;
    llvm::PromoteMemToReg(pointers, dominators);
  }
}

llvm::SetVector<llvm::CallInst*> list_calls(llvm::Function& function) {
  llvm::SetVector<llvm::CallInst*> calls;
  const llvm::DominatorTree dominators(function);
  for (llvm::AllocaInst* variable : list_user_variables(function)) {
    list_early_calls(*variable, dominators, calls);
  }
  return calls;
}

}  // namespace

void inline_variable_uses(llvm::Function& function) {
  unsigned instructions = function.getInstructionCount();
  // Each round inlines one level of calls; there is no recursion, so the rounds end.
  while (true) {
    resolve_addresses(function);
    bool is_changed = false;
    for (llvm::CallInst* call : list_calls(function)) {
      const unsigned added = call->getCalledFunction()->getInstructionCount();
      if (instructions + added > kMaxInstructions) continue;
      llvm::InlineFunctionInfo info;
      if (!llvm::InlineFunction(*call, info, /*MergeAttributes=*/true).isSuccess()) continue;
      instructions += added;
      is_changed = true;
    }
    if (!is_changed) return;
  }
}

}  // namespace assay::codegen
