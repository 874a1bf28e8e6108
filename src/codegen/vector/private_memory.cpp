// Decides on a layout by the uses of a variable, and rewrites address computations.
#include "codegen/vector/private_memory.h"

#include <optional>

#include "codegen/vector/lane_builder.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

struct Uses {
  uint64_t access_bytes = 0;  // 0: no access yet
  bool is_regular = true;
  std::vector<llvm::GetElementPtrInst*> addresses;  // outermost last
};

void add_access(Uses& uses, llvm::Type* type, const llvm::DataLayout& layout) {
  uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
  bool is_element = llvm::VectorType::isValidElementType(type) &&
                    (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
  if (!is_element || (uses.access_bytes != 0 && uses.access_bytes != bytes)) {
    uses.is_regular = false;
  }
  uses.access_bytes = bytes;
}

void collect(llvm::Value& address, Uses& uses, const llvm::DataLayout& layout) {
  for (llvm::Use& use : address.uses()) {
    llvm::User* user = use.getUser();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->isAtomic() || load->isVolatile()) uses.is_regular = false;
      add_access(uses, load->getType(), layout);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      bool escapes = use.getOperandNo() == 0 || store->isAtomic() || store->isVolatile();
      if (escapes) uses.is_regular = false;
      add_access(uses, store->getValueOperand()->getType(), layout);
    } else if (auto* inner = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      uses.addresses.push_back(inner);
      collect(*inner, uses, layout);
    } else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
               !call || !call->isLifetimeStartOrEnd()) {
      uses.is_regular = false;
    }
  }
}

bool is_multiple(const llvm::GetElementPtrInst& address, uint64_t bytes,
                 const llvm::DataLayout& layout) {
  llvm::MapVector<llvm::Value*, llvm::APInt> steps;
  llvm::APInt constant(64, 0);
  if (!address.collectOffset(layout, 64, steps, constant)) return false;
  if (constant.urem(bytes) != 0) return false;
  return llvm::all_of(steps, [&](const auto& step) { return step.second.urem(bytes) == 0; });
}

void spread(const std::vector<llvm::GetElementPtrInst*>& addresses,
            const llvm::DataLayout& layout) {
  for (llvm::GetElementPtrInst* address : addresses) {
    llvm::IRBuilder<> builder(address);
    llvm::Value* offset = llvm::emitGEPOffset(&builder, layout, address);
    llvm::Value* wide = builder.CreateMul(offset, builder.getInt64(kLanes));
    llvm::Value* place = builder.CreateGEP(builder.getInt8Ty(), address->getPointerOperand(), wide);
    address->replaceAllUsesWith(place);
    address->eraseFromParent();
  }
}

}  // namespace

bool lay_out_private_memory(llvm::Function& function, LaneAssumptions& assumptions) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      variables.push_back(variable);
    }
  }
  for (llvm::AllocaInst* variable : variables) {
    std::optional<llvm::TypeSize> bytes = variable->getAllocationSize(layout);
    if (!bytes || variable->isArrayAllocation()) return false;
    Uses uses;
    collect(*variable, uses, layout);
    bool is_regular = uses.is_regular && uses.access_bytes != 0 &&
                      llvm::all_of(uses.addresses, [&](const auto* address) {
                        return is_multiple(*address, uses.access_bytes, layout);
                      });
    if (is_regular) spread(uses.addresses, layout);
    assumptions.private_strides[variable] =
        is_regular ? uses.access_bytes
                   : llvm::alignTo(bytes->getFixedValue(), variable->getAlign());
  }
  return true;
}

}  // namespace assay::codegen
