// See live_code.h.
#include "codegen/checks/live_code.h"

#include "codegen/checks/unset_marks.h"
#include "codegen/intrinsics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

// The variable that an instruction does nothing but write to.
llvm::AllocaInst* find_written(llvm::Instruction& instruction) {
  llvm::Value* address = nullptr;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (store->isSimple()) address = store->getPointerOperand();
  } else if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    if (!block->isVolatile()) address = block->getRawDest();
  }
  while (auto* part = llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(address)) {
    address = part->getPointerOperand();
  }
  return llvm::dyn_cast_or_null<llvm::AllocaInst>(address);
}

bool has_own_effect(const llvm::Instruction& instruction) {
  if (instruction.isTerminator()) return true;
  if (!instruction.mayHaveSideEffects() || find_mark(instruction) != UnsetMark::kNone) return false;
  const auto intrinsic = find_intrinsic(instruction);
  if (!intrinsic) return true;
  // Checks ask lanes for their votes, too.
  const bool only_informs =
      intrinsic->kind == IntrinsicKind::kShuffle || intrinsic->kind == IntrinsicKind::kBallot;
  return !is_check(intrinsic->kind) && !only_informs;
}

}  // namespace

LiveCode::LiveCode(llvm::Function& kernel) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    if (llvm::AllocaInst* variable = find_written(instruction)) {
      writers_[variable].push_back(&instruction);
    } else if (has_own_effect(instruction)) {
      keep(&instruction);
    }
  }
  while (!pending_.empty()) {
    llvm::Instruction* next = pending_.back();
    pending_.pop_back();
    for (llvm::Value* operand : next->operands()) keep(operand);
    if (auto writers = writers_.find(next); writers != writers_.end()) {
      for (llvm::Instruction* writer : writers->second) keep(writer);
    }
  }
}

void LiveCode::keep(llvm::Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction && live_.insert(instruction).second) pending_.push_back(instruction);
}

}  // namespace assay::codegen
