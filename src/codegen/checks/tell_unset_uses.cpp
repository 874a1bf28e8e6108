// See tell_unset_uses.h.
#include "codegen/checks/tell_unset_uses.h"

#include "codegen/checks/live_code.h"
#include "codegen/checks/mark_unset_variables.h"
#include "codegen/checks/memory_object.h"
#include "codegen/checks/unset_conditions.h"
#include "codegen/checks/unset_marks.h"
#include "codegen/checks/unset_memory.h"
#include "codegen/intrinsics.h"

namespace assay::codegen {
namespace {

using kernel::SiteMemory;

// Where something without a value comes from.
struct Origin {
  const llvm::CallInst* mark = nullptr;  // of the variable
  const llvm::CallInst* read = nullptr;  // the user's first read of it, if there was one
  bool is_shared = false;                // it went through threadgroup memory

  // Then storing it to threadgroup memory is told.
  bool is_told_when_shared() const {
    return !is_shared && (read || variable_of(*mark).is_library_type);
  }
};

class OriginFinder {
 public:
  explicit OriginFinder(const UnsetFlow& flow) : flow_(flow) {}

  Origin find(llvm::Value* value, const llvm::CallInst* read = nullptr) {
    auto* made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!made || !flow_.values().contains(made) || !seen_.insert(made).second) return {};
    const UnsetMark mark = find_mark(*made);
    if (mark == UnsetMark::kNumber) return {llvm::cast<llvm::CallInst>(made), read};
    if (mark == UnsetMark::kRead) read = llvm::cast<llvm::CallInst>(made);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(made)) {
      if (const auto place = flow_.find_shared_source(*load)) return find(*place, read);
      return find(*flow_.find_variable(load->getPointerOperand()), read);
    }
    for (llvm::Value* operand : made->operands()) {
      if (Origin origin = find(operand, read); origin.mark) return origin;
    }
    return {};
  }

  Origin find(llvm::AllocaInst& variable, const llvm::CallInst* read = nullptr) {
    if (!seen_.insert(&variable).second) return {};
    for (llvm::Instruction* access : list_accesses(variable)) {
      if (Origin origin = find(*access, variable, read); origin.mark) return origin;
    }
    return {};
  }

 private:
  Origin find(llvm::Instruction& access, llvm::AllocaInst& variable, const llvm::CallInst* read) {
    if (find_mark(access) == UnsetMark::kMemory) return {llvm::cast<llvm::CallInst>(&access), read};
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
      return find(store->getValueOperand(), read);
    }
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&access);
    if (!copy || flow_.find_variable(copy->getRawDest()) != &variable) return {};
    llvm::AllocaInst* source = flow_.find_variable(copy->getRawSource());
    return source && flow_.variables().contains(source) ? find(*source, read) : Origin();
  }

  Origin find(const SharedPlace& place, const llvm::CallInst* read) {
    for (const UnsetFlow::SharedStore& shared : flow_.shared_stores()) {
      if (shared.place != place) continue;
      const Origin stored = find(shared.store->getValueOperand());
      if (stored.mark && !stored.is_told_when_shared()) {
        return {.mark = stored.mark, .read = read, .is_shared = true};
      }
    }
    return {};
  }

  const UnsetFlow& flow_;
  llvm::DenseSet<const llvm::Instruction*> seen_;
};

class Teller {
 public:
  explicit Teller(KernelBuild& build)
      : build_(build),
        check_(declare_check_condition(build.module)),
        live_(*build.kernel),
        flow_(build),
        uses_(list_uses()),
        copies_(list_copies()),
        kept_back_(list_kept_back()),
        conditions_(*build.kernel, flow_, uses_) {}

  void tell() {
    for (const llvm::Use* use : uses_) tell(*use);
    for (llvm::MemTransferInst* copy : copies_) tell(*copy);
    for (llvm::StoreInst* store : kept_back_) hand_on(*store);
    // LLVM must not conclude anything from what memory holds there.
    for (llvm::Value* value : flow_.values()) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
      if (load && !flow_.find_shared_source(*load)) freeze(*load);
    }
  }

 private:
  std::vector<const llvm::Use*> list_uses() const {
    std::vector<const llvm::Use*> uses;
    for (llvm::Value* value : flow_.values()) {
      for (const llvm::Use& use : value->uses()) {
        const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
        if (flow_.passes_on(use) || !live_.is_live(user)) continue;
        if (!is_stored_in_vain(use)) uses.push_back(&use);
      }
    }
    return uses;
  }

  // To where it is not known what becomes of them.
  std::vector<llvm::MemTransferInst*> list_copies() const {
    std::vector<llvm::MemTransferInst*> copies;
    for (llvm::AllocaInst* variable : flow_.variables()) {
      for (llvm::Instruction* access : list_accesses(*variable)) {
        auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(access);
        if (copy && flow_.find_variable(copy->getRawSource()) == variable &&
            !flow_.find_variable(copy->getRawDest())) {
          copies.push_back(copy);
        }
      }
    }
    return copies;
  }

  // To threadgroup memory, where nothing is told yet: whoever loads it may copy it once more.
  std::vector<llvm::StoreInst*> list_kept_back() const {
    std::vector<llvm::StoreInst*> stores;
    for (const UnsetFlow::SharedStore& shared : flow_.shared_stores()) {
      const Origin origin = OriginFinder(flow_).find(shared.store->getValueOperand());
      if (origin.mark && !origin.is_told_when_shared()) stores.push_back(shared.store);
    }
    return stores;
  }

  // Whether it matters that `bytes` without a value are stored there.
  bool is_result(llvm::Value* address, uint64_t bytes, const Origin& origin) const {
    const MemoryObject object = find_object(build_, address);
    switch (object.memory) {
      case SiteMemory::kNone:
      case SiteMemory::kThread: return false;
      case SiteMemory::kThreadgroupArgument:
      case SiteMemory::kThreadgroupVariable: return origin.is_told_when_shared();
      // Part of an element: a struct that is copied as a whole.
      case SiteMemory::kBuffer: return !origin.is_shared || bytes == object.bytes;
      default: return !origin.is_shared;
    }
  }

  bool is_stored_in_vain(const llvm::Use& use) const {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
    if (!store || use.getOperandNo() != 0) return false;
    const Origin origin = OriginFinder(flow_).find(use.get());
    const uint64_t bytes =
        build_.module.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
    return !origin.mark || !is_result(store->getPointerOperand(), bytes, origin);
  }

  void tell(const llvm::Use& use) {
    auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
    const Origin origin = OriginFinder(flow_).find(use.get());
    if (!origin.mark) return;
    llvm::Value* is_unset = conditions_.of(use.get(), user);
    llvm::IRBuilder<> builder(&user);
    const auto [number, count] = find_number(builder, use.get(), origin);
    emit(builder, origin, user, {is_unset, number, count});
  }

  void tell(llvm::MemTransferInst& copy) {
    llvm::AllocaInst* variable = flow_.find_variable(copy.getRawSource());
    const Origin origin = OriginFinder(flow_).find(*variable);
    const uint64_t bytes = llvm::cast<llvm::ConstantInt>(copy.getLength())->getZExtValue();
    if (!origin.mark || !is_result(copy.getRawDest(), bytes, origin)) return;
    llvm::IRBuilder<> builder(&copy);
    llvm::Value* is_unset = conditions_.flags(variable)->read(builder, copy.getRawSource(), bytes);
    if (!is_unset) return;
    emit(builder, origin, copy, {is_unset, builder.getInt64(0), builder.getInt64(1)});
  }

  void hand_on(llvm::StoreInst& store) {
    llvm::Value* is_unset = conditions_.of(store.getValueOperand(), store);
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(is_unset);
    if (known && known->isZero()) return;
    llvm::IRBuilder<> builder(store.getNextNode());
    emit_unset_store(builder, store, is_unset);
  }

  // Which number of the variable it is, and of how many.
  std::pair<llvm::Value*, llvm::Value*> find_number(llvm::IRBuilder<>& builder, llvm::Value* value,
                                                    const Origin& origin) {
    while (auto* made = llvm::dyn_cast<llvm::Instruction>(value)) {
      if (!llvm::isa<llvm::CastInst>(made) && find_mark(*made) != UnsetMark::kRead) break;
      value = made->getOperand(0);
    }
    auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    if (load && !flow_.find_shared_source(*load)) {
      VariableFlags* flags = conditions_.flags(flow_.find_variable(load->getPointerOperand()));
      const uint64_t bytes = build_.module.getDataLayout().getTypeStoreSize(load->getType());
      return {flags->number_at(builder, load->getPointerOperand(), bytes),
              builder.getInt64(flags->bytes() / bytes)};
    }
    auto [number, count] = number_of(*origin.mark);
    // Any of those that were stored may be the one that is loaded.
    if (find_mark(*origin.mark) == UnsetMark::kMemory || origin.is_shared) count = 1;
    return {builder.getInt64(number), builder.getInt64(count)};
  }

  struct Condition {
    llvm::Value* is_unset;
    llvm::Value* number;
    llvm::Value* count;
  };

  void emit(llvm::IRBuilder<>& builder, const Origin& origin, const llvm::Instruction& user,
            const Condition& condition) {
    builder.SetCurrentDebugLocation(origin.read ? origin.read->getDebugLoc() : user.getDebugLoc());
    llvm::CallInst* call = builder.CreateCall(
        check_, {builder.getInt32(static_cast<uint32_t>(kernel::SiteKind::kUnsetVariable)),
                 condition.is_unset, condition.number, condition.count});
    llvm::LLVMContext& context = call->getContext();
    auto* name = llvm::MDString::get(context, variable_of(*origin.mark).name);
    call->setMetadata(kVariableMetadata, llvm::MDNode::get(context, name));
  }

  static void freeze(llvm::LoadInst& load) {
    llvm::IRBuilder<> builder(load.getNextNode());
    auto* frozen = llvm::cast<llvm::Instruction>(builder.CreateFreeze(&load));
    load.replaceUsesWithIf(frozen, [&](llvm::Use& use) { return use.getUser() != frozen; });
  }

  KernelBuild& build_;
  llvm::FunctionCallee check_;
  LiveCode live_;
  UnsetFlow flow_;
  std::vector<const llvm::Use*> uses_;
  std::vector<llvm::MemTransferInst*> copies_;
  std::vector<llvm::StoreInst*> kept_back_;
  UnsetConditions conditions_;
};

}  // namespace

void tell_unset_uses(KernelBuild& build) { Teller(build).tell(); }

}  // namespace assay::codegen
