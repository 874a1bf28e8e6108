// See unset_flow.h.
#include "codegen/checks/unset_flow.h"

#include "codegen/checks/unset_marks.h"
#include "codegen/checks/variable_flags.h"
#include "codegen/intrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

// Whether `access` only reads and writes at `address`, in a way that can be followed.
bool is_known_access(const llvm::Instruction& access, const llvm::Value& address) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) return load->isSimple();
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    return store->isSimple() && store->getValueOperand() != &address;
  }
  if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&access)) {
    return !block->isVolatile() && llvm::isa<llvm::ConstantInt>(block->getLength());
  }
  return llvm::isa<llvm::ICmpInst>(access) || access.isLifetimeStartOrEnd() ||
         find_mark(access) == UnsetMark::kMemory;
}

// The one variable that an address lies in, also where a loop goes on from element to element.
llvm::AllocaInst* find_root(llvm::Value& address) {
  llvm::SmallVector<const llvm::Value*, 4> roots;
  llvm::getUnderlyingObjects(&address, roots, nullptr, /*MaxLookup=*/0);
  if (roots.size() != 1) return nullptr;
  return const_cast<llvm::AllocaInst*>(llvm::dyn_cast<llvm::AllocaInst>(roots.front()));
}

bool makes_address(const llvm::User& user) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user);
}

// The variable's own and all that are made from it.
llvm::SetVector<llvm::Value*> list_addresses(llvm::AllocaInst& variable) {
  llvm::SetVector<llvm::Value*> addresses;
  addresses.insert(&variable);
  // The set grows while it is walked.
  for (size_t i = 0; i < addresses.size(); ++i) {
    for (llvm::User* user : addresses[i]->users()) {
      if (makes_address(*user)) addresses.insert(user);
    }
  }
  return addresses;
}

bool are_accesses_known(llvm::AllocaInst& variable) {
  return llvm::all_of(list_addresses(variable), [&](llvm::Value* address) {
    return find_root(*address) == &variable &&
           llvm::all_of(address->users(), [&](llvm::User* user) {
             return makes_address(*user) ||
                    is_known_access(*llvm::cast<llvm::Instruction>(user), *address);
           });
  });
}

bool keeps_bits(const llvm::CastInst& cast) {
  switch (cast.getOpcode()) {
    case llvm::Instruction::BitCast:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc: return true;
    default: return false;
  }
}

}  // namespace

std::vector<llvm::Instruction*> list_accesses(llvm::AllocaInst& variable) {
  std::vector<llvm::Instruction*> accesses;
  for (llvm::Value* address : list_addresses(variable)) {
    for (llvm::User* user : address->users()) {
      if (!makes_address(*user)) accesses.push_back(llvm::cast<llvm::Instruction>(user));
    }
  }
  return accesses;
}

UnsetFlow::UnsetFlow(const KernelBuild& build) {
  for (llvm::Instruction& instruction : llvm::instructions(*build.kernel)) {
    const UnsetMark mark = find_mark(instruction);
    if (mark == UnsetMark::kNumber) reach(&instruction);
    if (mark == UnsetMark::kMemory) reach_variable(find_variable(instruction.getOperand(0)));
  }
  follow_all();
  while (reach_shared(build)) follow_all();
}

void UnsetFlow::follow_all() {
  // Both sets grow while they are walked.
  while (followed_values_ < values_.size() || followed_variables_ < variables_.size()) {
    while (followed_values_ < values_.size()) follow(*values_[followed_values_++]);
    while (followed_variables_ < variables_.size()) follow(*variables_[followed_variables_++]);
  }
}

// Whether that is anything new.
bool UnsetFlow::reach_shared(const KernelBuild& build) {
  const size_t before = values_.size();
  shared_stores_.clear();
  for (llvm::Value* value : values_) {
    for (llvm::User* user : value->users()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!store || store->getValueOperand() != value || !store->isSimple()) continue;
      const auto place = find_shared_place(build, store->getPointerOperand());
      if (place) shared_stores_.push_back({*place, store});
    }
  }
  if (shared_stores_.empty()) return false;
  shared_loads_ = list_shared_loads(build);
  llvm::erase_if(shared_loads_, [&](const SharedLoad& shared) {
    return llvm::none_of(shared_stores_,
                         [&](const SharedStore& other) { return other.place == shared.place; });
  });
  for (const SharedLoad& shared : shared_loads_) reach(shared.load);
  return values_.size() != before;
}

std::optional<SharedPlace> UnsetFlow::find_shared_source(const llvm::LoadInst& load) const {
  auto found =
      llvm::find_if(shared_loads_, [&](const SharedLoad& shared) { return shared.load == &load; });
  return found == shared_loads_.end() ? std::nullopt : std::optional(found->place);
}

llvm::AllocaInst* UnsetFlow::find_variable(llvm::Value* address) const {
  llvm::AllocaInst* variable = find_root(*address);
  if (!variable) return nullptr;
  auto [known, is_new] = is_known_.try_emplace(variable, false);
  if (is_new) known->second = VariableFlags::can_watch(*variable) && are_accesses_known(*variable);
  return known->second ? variable : nullptr;
}

bool UnsetFlow::passes_on(const llvm::Use& use) const {
  const llvm::User* user = use.getUser();
  if (llvm::isa<llvm::PHINode, llvm::FreezeInst>(user)) return true;
  if (llvm::isa<llvm::SelectInst>(user)) return use.getOperandNo() != 0;
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(user)) return keeps_bits(*cast);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
    return use.getOperandNo() == 0 && find_variable(store->getOperandUse(1));
  }
  if (find_mark(*user) != UnsetMark::kNone) return true;
  const auto intrinsic = find_intrinsic(*llvm::cast<llvm::Instruction>(user));
  if (!intrinsic) return false;
  return is_check(intrinsic->kind) ||
         (intrinsic->kind == IntrinsicKind::kShuffle && use.getOperandNo() == 0);
}

void UnsetFlow::reach(llvm::Value* value) { values_.insert(value); }

void UnsetFlow::reach_variable(llvm::AllocaInst* variable) {
  if (variable) variables_.insert(variable);
}

void UnsetFlow::follow(llvm::Value& value) {
  for (const llvm::Use& use : value.uses()) {
    llvm::User* user = use.getUser();
    if (!passes_on(use) || find_mark(*user) == UnsetMark::kFilled) continue;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      reach_variable(find_variable(store->getPointerOperand()));
    } else if (!user->getType()->isVoidTy()) {
      reach(user);
    }
  }
}

void UnsetFlow::follow(llvm::AllocaInst& variable) {
  for (llvm::Instruction* access : list_accesses(variable)) {
    if (llvm::isa<llvm::LoadInst>(access)) reach(access);
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(access);
    if (copy && find_variable(copy->getRawSource()) == &variable) {
      reach_variable(find_variable(copy->getRawDest()));
    }
  }
}

}  // namespace assay::codegen
