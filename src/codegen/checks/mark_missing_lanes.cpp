// See mark_missing_lanes.h.
#include "codegen/checks/mark_missing_lanes.h"

#include "codegen/intrinsics.h"
#include "kernel/checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

using kernel::kSimdgroupWidth;
using kernel::SiteKind;

bool is_kind(const llvm::Instruction& instruction, IntrinsicKind kind) {
  const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && intrinsic->kind == kind;
}

// Whether the result depends on operands in a way that is followed. Memory is not.
bool passes_on(const llvm::Instruction& instruction) {
  if (const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction)) {
    return intrinsic->kind == IntrinsicKind::kShuffle || intrinsic->kind == IntrinsicKind::kReduce;
  }
  if (llvm::isa<llvm::IntrinsicInst>(instruction)) {
    return !instruction.getType()->isVoidTy() && !instruction.mayReadOrWriteMemory();
  }
  return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::BinaryOperator, llvm::UnaryOperator,
                   llvm::CmpInst, llvm::CastInst, llvm::FreezeInst, llvm::GetElementPtrInst,
                   llvm::LoadInst>(instruction);
}

// Whether the instruction is at `place` or in a function that is called from there.
bool comes_from(const llvm::Instruction& instruction, const llvm::DILocation* place) {
  for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt()) {
    if (place && at->getLine() == place->getLine() && at->getColumn() == place->getColumn() &&
        at->getScope() == place->getScope()) {
      return true;
    }
  }
  return false;
}

// What mark-arithmetic has to say about the number of the lane where it was written: it knows what
// the library cuts to the width. Null where that cannot be wrong.
llvm::Value* find_outside(llvm::CallInst& shuffle) {
  for (llvm::Instruction* at = &shuffle; at; at = at->getPrevNode()) {
    if (!is_kind(*at, IntrinsicKind::kCheckCondition)) continue;
    const auto& condition = llvm::cast<llvm::CallInst>(*at);
    auto is = [&](unsigned operand, uint64_t value) {
      auto* number = llvm::dyn_cast<llvm::ConstantInt>(condition.getArgOperand(operand));
      return number && number->equalsInt(value);
    };
    if (is(0, static_cast<uint64_t>(SiteKind::kMissingLane)) && is(3, kLaneAsWritten) &&
        comes_from(shuffle, condition.getDebugLoc().get())) {
      return condition.getArgOperand(1);
    }
  }
  return nullptr;
}

class MissingLanes {
 public:
  explicit MissingLanes(llvm::Function& kernel)
      : kernel_(kernel),
        check_(declare_check_condition(*kernel.getParent())),
        ballot_(declare_ballot(*kernel.getParent())) {}

  void run() {
    find_dependent();
    if (dependent_.empty()) return;
    std::vector<llvm::Instruction*> order;
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&kernel_);
    for (llvm::BasicBlock* block : blocks) {
      for (llvm::Instruction& instruction : *block) order.push_back(&instruction);
    }
    for (llvm::Instruction* instruction : order) {
      if (dependent_.contains(instruction)) flags_[instruction] = emit(*instruction);
    }
    for (llvm::Instruction* instruction : order) {
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) complete(*phi);
      watch(*instruction);
    }
  }

 private:
  void find_dependent() {
    for (llvm::Instruction& instruction : llvm::instructions(kernel_)) {
      if (is_kind(instruction, IntrinsicKind::kShuffle)) dependent_.insert(&instruction);
    }
    // The set grows while it is walked.
    for (size_t i = 0; i < dependent_.size(); ++i) {
      for (llvm::User* user : dependent_[i]->users()) {
        auto* instruction = llvm::cast<llvm::Instruction>(user);
        if (passes_on(*instruction)) dependent_.insert(instruction);
      }
    }
  }

  // i1: the value depends on a lane that was missing.
  llvm::Value* flag(llvm::Value* value) {
    auto found = flags_.find(value);
    return found == flags_.end() ? llvm::ConstantInt::getFalse(kernel_.getContext())
                                 : found->second;
  }

  llvm::Value* any_flag(llvm::IRBuilder<>& builder, llvm::User& user) {
    llvm::Value* any = builder.getFalse();
    for (llvm::Value* operand : user.operand_values()) {
      any = builder.CreateOr(any, flag(operand));
    }
    return any;
  }

  llvm::Value* emit(llvm::Instruction& instruction) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      return llvm::PHINode::Create(llvm::Type::getInt1Ty(kernel_.getContext()),
                                   phi->getNumIncomingValues(), "", phi->getIterator());
    }
    if (is_kind(instruction, IntrinsicKind::kShuffle)) {
      return emit_shuffle(llvm::cast<llvm::CallInst>(instruction));
    }
    llvm::IRBuilder<> builder(instruction.getNextNode());
    if (is_kind(instruction, IntrinsicKind::kReduce)) {
      return emit_reduction(llvm::cast<llvm::CallInst>(instruction));
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      llvm::Value* chosen = builder.CreateSelect(
          select->getCondition(), flag(select->getTrueValue()), flag(select->getFalseValue()));
      return builder.CreateOr(flag(select->getCondition()), chosen);
    }
    llvm::Value* any = any_flag(builder, instruction);
    switch (instruction.getOpcode()) {
      case llvm::Instruction::And:
      case llvm::Instruction::Mul:
      case llvm::Instruction::FMul: return without(builder, any, instruction, /*absorbs=*/0);
      case llvm::Instruction::Or: return without(builder, any, instruction, /*absorbs=*/-1);
      default: return any;
    }
  }

  // An operand of this value makes the other one meaningless.
  llvm::Value* without(llvm::IRBuilder<>& builder, llvm::Value* any, llvm::Instruction& operation,
                       int64_t absorbs) {
    for (llvm::Value* operand : operation.operand_values()) {
      llvm::Type* type = operand->getType();
      llvm::Value* differs =
          type->isFloatingPointTy()
              ? builder.CreateFCmpUNE(operand, llvm::ConstantFP::getZero(type))
              : builder.CreateICmpNE(operand, llvm::ConstantInt::getSigned(type, absorbs));
      any = builder.CreateAnd(any, builder.CreateOr(flag(operand), differs));
    }
    return any;
  }

  llvm::Value* emit_ballot(llvm::IRBuilder<>& builder, llvm::Value* predicate) {
    return builder.CreateCall(ballot_, {builder.CreateZExt(predicate, builder.getInt32Ty())});
  }

  // In front of the shuffle, where the same lanes are active.
  llvm::Value* emit_shuffle(llvm::CallInst& shuffle) {
    llvm::IRBuilder<> builder(&shuffle);
    // Constants to fill up with are the same in all lanes.
    if (llvm::isa<llvm::Constant>(shuffle.getArgOperand(0))) return builder.getFalse();
    llvm::Value* lane = shuffle.getArgOperand(1);
    auto is_in = [&](llvm::Value* mask) {
      llvm::Value* source = builder.CreateAnd(lane, builder.getInt32(kSimdgroupWidth - 1));
      return builder.CreateTrunc(builder.CreateLShr(mask, source), builder.getInt1Ty());
    };
    llvm::Value* missing = builder.CreateNot(is_in(emit_ballot(builder, builder.getTrue())));
    emit_condition(builder, SiteKind::kMissingLane, missing, lane);
    if (llvm::Value* outside = find_outside(shuffle)) {
      missing = builder.CreateOr(missing, outside);
    }
    llvm::Value* brought = flag(shuffle.getArgOperand(0));
    if (!llvm::isa<llvm::Constant>(brought)) {
      missing = builder.CreateOr(missing, is_in(emit_ballot(builder, brought)));
    }
    return builder.CreateOr(missing, flag(lane));
  }

  llvm::Value* emit_reduction(llvm::CallInst& reduction) {
    auto* cluster = llvm::dyn_cast<llvm::ConstantInt>(reduction.getArgOperand(1));
    llvm::IRBuilder<> builder(&reduction);
    if (!cluster || !cluster->equalsInt(kSimdgroupWidth)) return builder.getFalse();
    return builder.CreateIsNotNull(emit_ballot(builder, flag(reduction.getArgOperand(0))));
  }

  void complete(llvm::PHINode& phi) {
    auto found = flags_.find(&phi);
    if (found == flags_.end()) return;
    auto* flags = llvm::cast<llvm::PHINode>(found->second);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      flags->addIncoming(flag(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
    }
  }

  // What is stored to memory of more than one thread.
  void watch(llvm::Instruction& instruction) {
    if (!llvm::isa<llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
      return;
    }
    const llvm::Value* pointer = llvm::getPointerOperand(&instruction);
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      pointer = update->getPointerOperand();
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      pointer = exchange->getPointerOperand();
    }
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0))) return;
    llvm::IRBuilder<> builder(&instruction);
    llvm::Value* is_wrong = any_flag(builder, instruction);
    if (llvm::isa<llvm::Constant>(is_wrong)) return;
    emit_condition(builder, SiteKind::kMissingLaneUse, is_wrong, builder.getInt32(0));
  }

  void emit_condition(llvm::IRBuilder<>& builder, SiteKind kind, llvm::Value* is_wrong,
                      llvm::Value* lane) {
    builder.CreateCall(check_,
                       {builder.getInt32(static_cast<uint32_t>(kind)), is_wrong,
                        builder.CreateZExt(lane, builder.getInt64Ty()), builder.getInt64(0)});
  }

  llvm::Function& kernel_;
  llvm::FunctionCallee check_;
  llvm::FunctionCallee ballot_;
  llvm::SetVector<llvm::Instruction*> dependent_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> flags_;
};

}  // namespace

void mark_missing_lanes(llvm::Function& kernel) { MissingLanes(kernel).run(); }

}  // namespace assay::codegen
