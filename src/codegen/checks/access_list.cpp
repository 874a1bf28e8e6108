// See access_list.h.
#include "codegen/checks/access_list.h"

#include "codegen/checks/mark_unset_variables.h"
#include "codegen/intrinsics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {

using kernel::SiteKind;

namespace {

bool is_sum(const llvm::AtomicRMWInst& update) {
  const auto* operand = llvm::dyn_cast<llvm::Constant>(update.getValOperand());
  if (operand && operand->isZeroValue()) return false;
  switch (update.getOperation()) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::FAdd:
    case llvm::AtomicRMWInst::FSub: return true;
    default: return false;
  }
}

class AccessList {
 public:
  explicit AccessList(llvm::Function& kernel) : layout_(kernel.getParent()->getDataLayout()) {
    for (llvm::Instruction& instruction : llvm::instructions(kernel)) add(instruction);
  }
  std::vector<Access> take() { return std::move(accesses_); }

 private:
  // A struct of up to eight bytes is copied as one integer. Numbers are aligned to their own size,
  // and so is nothing that has padding.
  bool is_small_block(const llvm::LoadInst& load) const {
    return load.getType()->isIntegerTy() &&
           load.getAlign().value() < layout_.getTypeStoreSize(load.getType());
  }

  void add(llvm::Instruction& instruction) {
    if (instruction.hasMetadata(kFlagMetadata)) return;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      SiteKind kind = load->isAtomic()        ? SiteKind::kAtomicLoad
                      : is_small_block(*load) ? SiteKind::kBlockLoad
                                              : SiteKind::kLoad;
      add(instruction, load->getPointerOperand(), nullptr, kind, load->getType(),
          load->getAlign().value());
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      SiteKind kind = store->isAtomic() ? SiteKind::kAtomicStore : SiteKind::kStore;
      add(instruction, store->getPointerOperand(), store->getValueOperand(), kind,
          store->getValueOperand()->getType(), store->getAlign().value());
    } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      add(instruction, update->getPointerOperand(), nullptr, SiteKind::kAtomicUpdate,
          update->getType(), update->getAlign().value());
      accesses_.back().type = is_sum(*update) ? "+" : "";
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      add(instruction, exchange->getPointerOperand(), nullptr, SiteKind::kAtomicUpdate,
          exchange->getNewValOperand()->getType(), exchange->getAlign().value());
    } else if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      add_block(*block);
    } else if (is_early_load(instruction)) {
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      auto* bytes = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1));
      accesses_.push_back({.instruction = &call,
                           .pointer = call.getArgOperand(0),
                           .kind = SiteKind::kEarlyLoad,
                           .bytes = bytes->getZExtValue(),
                           .alignment = 1,
                           .type = {}});
    }
  }

  void add(llvm::Instruction& instruction, llvm::Value* pointer, llvm::Value* value, SiteKind kind,
           llvm::Type* type, uint64_t alignment) {
    bool is_number = type->isIntegerTy() || type->isFloatingPointTy();
    accesses_.push_back({.instruction = &instruction,
                         .pointer = pointer,
                         .value = is_number ? value : nullptr,
                         .kind = kind,
                         .bytes = layout_.getTypeStoreSize(type).getFixedValue(),
                         .alignment = alignment,
                         .type = type_name(*type)});
  }

  void add_block(llvm::MemIntrinsic& block) {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(block.getLength());
    if (!length || length->isZero()) return;
    if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&block)) {
      accesses_.push_back({.instruction = &block,
                           .pointer = move->getRawSource(),
                           .kind = SiteKind::kBlockLoad,
                           .bytes = length->getZExtValue(),
                           .alignment = move->getSourceAlign().valueOrOne().value(),
                           .type = {}});
    }
    accesses_.push_back({.instruction = &block,
                         .pointer = block.getRawDest(),
                         .kind = SiteKind::kBlockStore,
                         .bytes = length->getZExtValue(),
                         .alignment = block.getDestAlign().valueOrOne().value(),
                         .type = {}});
  }

  const llvm::DataLayout& layout_;
  std::vector<Access> accesses_;
};

}  // namespace

std::vector<Access> list_accesses(llvm::Function& kernel) { return AccessList(kernel).take(); }

std::string type_name(const llvm::Type& type) {
  if (type.isFloatTy()) return "float";
  if (type.isHalfTy()) return "half";
  if (type.isBFloatTy()) return "bfloat";
  if (type.isDoubleTy()) return "double";
  return {};
}

bool is_early_load(const llvm::Instruction& instruction) {
  const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && intrinsic->kind == IntrinsicKind::kCheckEarlyLoad;
}

void allow_any_alignment(llvm::Instruction& access) {
  constexpr uint64_t kNumberBytes = 8;
  const llvm::Align any(1);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) {
    if (load->getAlign().value() > kNumberBytes) load->setAlignment(any);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    if (store->getAlign().value() > kNumberBytes) store->setAlignment(any);
  } else if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&access)) {
    block->setDestAlignment(any);
    if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(block)) move->setSourceAlignment(any);
  }
}

}  // namespace assay::codegen
