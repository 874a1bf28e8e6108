// See early_loads.h.
#include "codegen/checks/early_loads.h"

#include "codegen/checks/kept_places.h"
#include "codegen/intrinsics.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

namespace assay::codegen {
namespace {

struct EarlyLoad {
  llvm::WeakVH mark;  // both may be gone afterwards
  llvm::WeakVH load;
};

// Whether something in the block needs the value there: then the load stays.
bool is_needed(const llvm::Instruction& value, const llvm::BasicBlock& block,
               llvm::SmallPtrSetImpl<const llvm::Instruction*>& seen) {
  return llvm::any_of(value.uses(), [&](const llvm::Use& use) {
    const auto* instruction = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      return phi->getIncomingBlock(use) == &block;
    }
    if (instruction->getParent() != &block) return false;
    if (instruction->isTerminator() || instruction->mayHaveSideEffects()) return true;
    return seen.insert(instruction).second && is_needed(*instruction, block, seen);
  });
}

bool may_move(const llvm::LoadInst& load) {
  llvm::SmallPtrSet<const llvm::Instruction*, 8> seen;
  return load.isSimple() && !load.use_empty() &&
         !llvm::isDereferenceablePointer(load.getPointerOperand(), load.getType(),
                                         load.getModule()->getDataLayout()) &&
         !is_needed(load, *load.getParent(), seen);
}

std::vector<EarlyLoad> mark_loads(llvm::Function& function) {
  std::vector<llvm::LoadInst*> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && may_move(*load)) loads.push_back(load);
  }
  std::vector<EarlyLoad> marked;
  if (loads.empty()) return marked;
  llvm::Module& module = *function.getParent();
  llvm::FunctionCallee mark = declare_check_early_load(module);
  for (llvm::LoadInst* load : loads) {
    llvm::IRBuilder<> builder(load);
    const auto bytes = module.getDataLayout().getTypeStoreSize(load->getType());
    marked.push_back(
        {builder.CreateCall(mark, {load->getPointerOperand(), builder.getInt64(bytes)}), load});
  }
  return marked;
}

// A load of floats may have become one of integers. A value that nobody uses is not loaded at all.
const llvm::Instruction* find_load(const EarlyLoad& early, const llvm::CallInst& mark) {
  if (early.load) return llvm::cast<llvm::Instruction>(early.load);
  for (const llvm::User* user : mark.getArgOperand(0)->users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return load;
  }
  return nullptr;
}

void erase_where_load_stayed(const EarlyLoad& early) {
  auto* mark = llvm::cast_or_null<llvm::CallInst>(early.mark);
  if (!mark) return;
  const llvm::Instruction* load = find_load(early, *mark);
  if (!load || load->getParent() == mark->getParent()) mark->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses CombineInstructions::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  const std::vector<EarlyLoad> loads = mark_loads(function);
  {
    const KeptPlaces places(function);
    llvm::InstCombinePass().run(function, analyses);
  }
  for (const EarlyLoad& early : loads) erase_where_load_stayed(early);
  return llvm::PreservedAnalyses::none();
}

}  // namespace assay::codegen
