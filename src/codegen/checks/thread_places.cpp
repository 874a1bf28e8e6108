// See thread_places.h.
#include "codegen/checks/thread_places.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {
namespace {

bool is_nothing(const llvm::Value& pointer) {
  return llvm::isa<llvm::UndefValue, llvm::ConstantPointerNull>(pointer);
}

// The pointers that `pointer` is made from: none for a variable; nothing where it is made from
// something else.
std::optional<llvm::SmallVector<llvm::Value*, 4>> sources(llvm::Value* pointer) {
  using List = llvm::SmallVector<llvm::Value*, 4>;
  if (is_nothing(*pointer) || llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(pointer)) {
    return List();
  }
  if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    return List{address->getPointerOperand()};
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(pointer)) {
    return List{select->getTrueValue(), select->getFalseValue()};
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) {
    return List(phi->incoming_values());
  }
  return std::nullopt;
}

}  // namespace

bool ThreadPlaces::is_followed(llvm::Value* pointer) const {
  llvm::SetVector<llvm::Value*> seen;
  seen.insert(pointer);
  // The set grows while it is walked.
  for (size_t i = 0; i < seen.size(); ++i) {
    auto found = sources(seen[i]);
    if (!found) return false;
    seen.insert(found->begin(), found->end());
  }
  return true;
}

std::optional<ThreadPlace> ThreadPlaces::find(llvm::Value* pointer) {
  if (!is_followed(pointer)) return std::nullopt;
  return place_of(pointer);
}

ThreadPlace ThreadPlaces::place_of(llvm::Value* pointer) {
  if (auto known = places_.find(pointer); known != places_.end()) return known->second;
  const ThreadPlace place = emit(pointer);
  places_[pointer] = place;
  return place;
}

ThreadPlace ThreadPlaces::emit(llvm::Value* pointer) {
  llvm::IRBuilder<> builder(pointer->getContext());
  auto number = [&](uint64_t value) { return builder.getInt64(value); };
  // A pointer to nothing has no element to read.
  if (is_nothing(*pointer)) return {number(0), number(0)};
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer)) {
    return {number(0), number(layout_.getTypeAllocSize(variable->getAllocatedType()))};
  }
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    return {number(0), number(layout_.getTypeAllocSize(variable->getValueType()))};
  }
  if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    const ThreadPlace base = place_of(address->getPointerOperand());
    // Constants of addresses are constants of offsets, too: nothing is inserted for them.
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(pointer)) builder.SetInsertPoint(made);
    llvm::Value* step = llvm::emitGEPOffset(&builder, layout_, address, /*NoAssumptions=*/true);
    return {builder.CreateAdd(base.offset, step), base.bytes};
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(pointer)) {
    const ThreadPlace yes = place_of(select->getTrueValue());
    const ThreadPlace no = place_of(select->getFalseValue());
    builder.SetInsertPoint(select->getNextNode());
    return {builder.CreateSelect(select->getCondition(), yes.offset, no.offset),
            builder.CreateSelect(select->getCondition(), yes.bytes, no.bytes)};
  }
  auto* phi = llvm::cast<llvm::PHINode>(pointer);
  builder.SetInsertPoint(phi);
  const unsigned count = phi->getNumIncomingValues();
  llvm::PHINode* offset = builder.CreatePHI(builder.getInt64Ty(), count);
  llvm::PHINode* bytes = builder.CreatePHI(builder.getInt64Ty(), count);
  places_[pointer] = {offset, bytes};  // loops come back to it
  for (unsigned i = 0; i < count; ++i) {
    const ThreadPlace place = place_of(phi->getIncomingValue(i));
    offset->addIncoming(place.offset, phi->getIncomingBlock(i));
    bytes->addIncoming(place.bytes, phi->getIncomingBlock(i));
  }
  return {offset, bytes};
}

}  // namespace assay::codegen
