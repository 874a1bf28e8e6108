// See variable_uses.h.
#include "codegen/checks/variable_uses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {
namespace {

// What lies at the start of a variable.
const llvm::Type* first_number(const llvm::Type& type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    return first_number(*array->getElementType());
  }
  auto* record = llvm::dyn_cast<llvm::StructType>(&type);
  return record && record->getNumElements() > 0 ? first_number(*record->getElementType(0)) : &type;
}

// To write a bit-field, clang reads what lies beside it in the same number and writes that back.
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

}  // namespace

VariableUses::VariableUses(llvm::AllocaInst& variable)
    : variable_(variable),
      layout_(variable.getModule()->getDataLayout()),
      bytes_(layout_.getTypeAllocSize(variable.getAllocatedType())),
      is_followed_(follow(variable)) {}

bool VariableUses::follow(llvm::Value& address) {
  return llvm::all_of(address.users(), [&](llvm::User* user) { return note(address, *user); });
}

bool VariableUses::note(llvm::Value& address, llvm::User& user) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
    if (is_one_part(*load) && !keeps_other_bits(*load)) reads_.push_back(load);
    return !load->isVolatile();
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) return note_store(address, *store);
  if (llvm::isa<llvm::GetElementPtrInst>(user)) return follow(user);
  if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) return note_block(address, *block);
  auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
  if (!call) return llvm::isa<llvm::ICmpInst>(user);
  if (!call->isLifetimeStartOrEnd()) writes_.push_back({call, &variable_, bytes_});
  return true;
}

bool VariableUses::note_store(llvm::Value& address, llvm::StoreInst& store) {
  const auto bytes = layout_.getTypeStoreSize(store.getValueOperand()->getType());
  writes_.push_back({&store, &address, bytes.getFixedValue()});
  return store.getPointerOperand() == &address && store.getValueOperand() != &address;
}

bool VariableUses::note_block(llvm::Value& address, llvm::MemIntrinsic& block) {
  if (block.getRawDest() != &address) return true;
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(block.getLength());
  if (length) writes_.push_back({&block, &address, length->getZExtValue()});
  return length != nullptr;
}

// Parts of structs that are passed by value are read together, with what lies between them.
bool VariableUses::is_one_part(const llvm::LoadInst& load) const {
  llvm::Type* type = load.getType();
  if (!type->isIntegerTy() && !type->isFloatingPointTy() && !type->isPointerTy()) return false;
  if (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(load.getPointerOperand())) {
    return part->getResultElementType() == type;
  }
  return first_number(*variable_.getAllocatedType()) == type;
}

// Names with a dot are clang's own: parameters, temporary values. So are those of variables whose
// function was inlined, which were looked at there.
std::vector<llvm::AllocaInst*> list_user_variables(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (!variable || !variable->hasName() || variable->isArrayAllocation()) continue;
    if (variable->getName().contains('.') || variable->getName() == "retval") continue;
    variables.push_back(variable);
  }
  return variables;
}

}  // namespace assay::codegen
