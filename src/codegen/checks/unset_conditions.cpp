// See unset_conditions.h.
#include "codegen/checks/unset_conditions.h"

#include "codegen/checks/unset_marks.h"
#include "codegen/checks/unset_memory.h"
#include "codegen/intrinsics.h"
#include "llvm/ADT/STLExtras.h"

namespace assay::codegen {
namespace {

const llvm::Value* made_value(const llvm::Value* value) {
  while (auto* made = llvm::dyn_cast<llvm::Instruction>(value)) {
    const bool is_same =
        llvm::isa<llvm::CastInst, llvm::FreezeInst>(made) || find_mark(*made) == UnsetMark::kRead;
    if (!is_same) break;
    value = made->getOperand(0);
  }
  return value;
}

}  // namespace

UnsetConditions::UnsetConditions(llvm::Function& kernel, const UnsetFlow& flow,
                                 const std::vector<const llvm::Use*>& told)
    : flow_(flow), dominators_(kernel) {
  for (const llvm::Use* use : told) {
    told_[made_value(use->get())].push_back(llvm::cast<llvm::Instruction>(use->getUser()));
  }
  for (llvm::AllocaInst* variable : flow.variables()) {
    flags_[variable] = std::make_unique<VariableFlags>(*variable);
  }
  for (llvm::AllocaInst* variable : flow.variables()) {
    for (llvm::Instruction* access : list_accesses(*variable)) keep_up(*access, *variable);
  }
}

VariableFlags* UnsetConditions::flags(llvm::AllocaInst* variable) const {
  auto found = flags_.find(variable);
  return found == flags_.end() ? nullptr : found->second.get();
}

void UnsetConditions::keep_up(llvm::Instruction& access, llvm::AllocaInst& variable) {
  VariableFlags& own = *flags(&variable);
  if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&access)) return keep_up(*block, variable);
  if (find_mark(access) == UnsetMark::kMemory) {
    llvm::IRBuilder<> builder(&access);
    return own.forget(builder);
  }
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&access);
  if (!store) return;
  llvm::Value* is_unset = of(store->getValueOperand(), *store);
  const llvm::DataLayout& layout = store->getModule()->getDataLayout();
  llvm::IRBuilder<> builder(store);
  own.write(builder, store->getPointerOperand(),
            layout.getTypeStoreSize(store->getValueOperand()->getType()), is_unset);
}

void UnsetConditions::keep_up(llvm::MemIntrinsic& block, llvm::AllocaInst& variable) {
  llvm::Value* target = block.getRawDest();
  if (flow_.find_variable(target) != &variable) return;
  VariableFlags& own = *flags(&variable);
  llvm::IRBuilder<> builder(&block);
  const uint64_t bytes = llvm::cast<llvm::ConstantInt>(block.getLength())->getZExtValue();
  auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&block);
  VariableFlags* source = copy ? flags(flow_.find_variable(copy->getRawSource())) : nullptr;
  if (source) return own.copy(builder, target, bytes, *source, copy->getRawSource());
  own.write(builder, target, bytes, builder.getFalse());
}

bool UnsetConditions::is_told_before(llvm::Value* value, llvm::Instruction& user) const {
  auto told = told_.find(made_value(value));
  return told != told_.end() && llvm::any_of(told->second, [&](llvm::Instruction* use) {
           return use != &user && dominators_.dominates(use, &user);
         });
}

llvm::Value* UnsetConditions::of(llvm::Value* value, llvm::Instruction& user) {
  return is_told_before(value, user) ? llvm::ConstantInt::getFalse(value->getContext()) : of(value);
}

llvm::Value* UnsetConditions::of(llvm::Value* value) {
  if (!flow_.values().contains(value)) return llvm::ConstantInt::getFalse(value->getContext());
  if (auto known = conditions_.find(value); known != conditions_.end()) return known->second;
  llvm::Value* condition = emit(*llvm::cast<llvm::Instruction>(value));
  conditions_[value] = condition;
  return condition;
}

llvm::Value* UnsetConditions::emit(llvm::Instruction& made) {
  llvm::LLVMContext& context = made.getContext();
  if (find_mark(made) == UnsetMark::kNumber) return llvm::ConstantInt::getTrue(context);
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&made)) return emit_phi(*phi);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&made)) {
    llvm::IRBuilder<> builder(load);
    if (flow_.find_shared_source(*load)) return emit_unset_load(builder, *load);
    VariableFlags* own = flags(flow_.find_variable(load->getPointerOperand()));
    const llvm::DataLayout& layout = load->getModule()->getDataLayout();
    llvm::Value* is_unset =
        own->read(builder, load->getPointerOperand(), layout.getTypeStoreSize(load->getType()));
    return is_unset ? is_unset : builder.getFalse();
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&made)) {
    llvm::Value* yes = of(select->getTrueValue(), *select);
    llvm::Value* no = of(select->getFalseValue(), *select);
    llvm::IRBuilder<> builder(select->getNextNode());
    return builder.CreateSelect(select->getCondition(), yes, no);
  }
  const auto intrinsic = find_intrinsic(made);
  if (intrinsic && intrinsic->kind == IntrinsicKind::kShuffle) {
    return emit_shuffle(llvm::cast<llvm::CallInst>(made));
  }
  return of(made.getOperand(0));
}

llvm::Value* UnsetConditions::emit_phi(llvm::PHINode& phi) {
  llvm::IRBuilder<> builder(&phi);
  llvm::PHINode* condition = builder.CreatePHI(builder.getInt1Ty(), phi.getNumIncomingValues());
  conditions_[&phi] = condition;  // loops come back to it
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    condition->addIncoming(of(phi.getIncomingValue(i), *phi.getIncomingBlock(i)->getTerminator()),
                           phi.getIncomingBlock(i));
  }
  return condition;
}

// What another lane hands over comes with what is known of it there.
llvm::Value* UnsetConditions::emit_shuffle(llvm::CallInst& shuffle) {
  llvm::Value* own = of(shuffle.getArgOperand(0), shuffle);
  llvm::IRBuilder<> builder(shuffle.getNextNode());
  builder.SetCurrentDebugLocation(shuffle.getDebugLoc());
  llvm::Value* handed =
      builder.CreateCall(declare_shuffle(*shuffle.getModule()),
                         {builder.CreateZExt(own, builder.getInt32Ty()), shuffle.getArgOperand(1)});
  return builder.CreateIsNotNull(handed);
}

}  // namespace assay::codegen
