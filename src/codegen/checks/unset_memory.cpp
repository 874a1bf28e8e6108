// See unset_memory.h.
#include "codegen/checks/unset_memory.h"

#include "codegen/checks/memory_object.h"
#include "codegen/intrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {

using kernel::SiteKind;
using kernel::SiteMemory;

namespace {

// The site of a call is 32 bits: the kind and the size have room there.
constexpr unsigned kKindBits = 8;

llvm::CallInst* emit_access(llvm::IRBuilder<>& builder, UnsetAccess access, llvm::Value* address,
                            llvm::Value* value) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const uint64_t site = static_cast<uint64_t>(access.kind) | access.bytes << kKindBits;
  return builder.CreateCall(declare_check_access(module),
                            {builder.getInt32(static_cast<uint32_t>(site)), address, value,
                             llvm::ConstantPointerNull::get(builder.getPtrTy())});
}

uint64_t bytes_of(const llvm::Instruction& access, llvm::Type* type) {
  return access.getModule()->getDataLayout().getTypeStoreSize(type).getFixedValue();
}

}  // namespace

std::optional<SharedPlace> find_shared_place(const KernelBuild& build, llvm::Value* address) {
  const MemoryObject object = find_object(build, address);
  if (object.memory == SiteMemory::kThreadgroupArgument) {
    return SharedPlace{object.memory, object.slot};
  }
  if (object.memory != SiteMemory::kThreadgroupVariable) return std::nullopt;
  auto* variable = llvm::cast<llvm::CallInst>(object.start);
  auto* number = llvm::cast<llvm::ConstantInt>(variable->getArgOperand(0));
  return SharedPlace{object.memory, number->getZExtValue()};
}

bool keeps_other_bits(const llvm::LoadInst& load) {
  auto only_user = [](const llvm::Value& value) {
    return value.hasOneUse() ? value.user_back() : nullptr;
  };
  const llvm::User* kept = only_user(load);
  if (!kept || llvm::Operator::getOpcode(kept) != llvm::Instruction::And) return false;
  const llvm::User* joined = only_user(*kept);
  if (!joined || llvm::Operator::getOpcode(joined) != llvm::Instruction::Or) return false;
  return llvm::any_of(joined->users(), [&](const llvm::User* user) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return store && store->getValueOperand() == joined &&
           store->getPointerOperand() == load.getPointerOperand();
  });
}

std::vector<SharedLoad> list_shared_loads(const KernelBuild& build) {
  std::vector<SharedLoad> loads;
  for (llvm::Instruction& instruction : llvm::instructions(*build.kernel)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple() || load->getType()->isPointerTy()) continue;
    const auto place = find_shared_place(build, load->getPointerOperand());
    if (place && !keeps_other_bits(*load)) loads.push_back({*place, load});
  }
  return loads;
}

void emit_unset_store(llvm::IRBuilder<>& builder, llvm::StoreInst& store, llvm::Value* is_unset) {
  const uint64_t bytes = bytes_of(store, store.getValueOperand()->getType());
  emit_access(builder, {SiteKind::kUnsetStore, bytes}, store.getPointerOperand(),
              builder.CreateZExt(is_unset, builder.getInt64Ty()));
}

llvm::Value* emit_unset_load(llvm::IRBuilder<>& builder, llvm::LoadInst& load) {
  const UnsetAccess access{SiteKind::kUnsetLoad, bytes_of(load, load.getType())};
  return builder.CreateNot(
      emit_access(builder, access, load.getPointerOperand(), builder.getInt64(0)));
}

UnsetAccess unset_access_of(const llvm::CallInst& call) {
  const uint64_t site = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
  return {static_cast<SiteKind>(site & ((1U << kKindBits) - 1)), site >> kKindBits};
}

}  // namespace assay::codegen
