// Follows addresses back to the buffers they come from.
#include "codegen/vector/streamed_stores.h"

#include <cstddef>

#include "kernel/cpu_abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {

using kernel::GroupContext;

namespace {

// True if `value` is what the GroupContext holds at `field`.
bool is_context_field(const llvm::Value* value, uint64_t field, const llvm::Function& thread) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load) return false;
  const llvm::DataLayout& layout = thread.getParent()->getDataLayout();
  const llvm::Value* base = load->getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(base->getType()), 0);
  base = base->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return base == thread.getArg(0) && offset == field;
}

bool orders_memory(const llvm::Instruction& instruction, const llvm::Function& thread) {
  if (llvm::isa<llvm::FenceInst>(instruction)) return true;
  if (!instruction.isAtomic() && !instruction.isVolatile()) return false;
  const llvm::Value* address = llvm::getLoadStorePointerOperand(&instruction);
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    address = update->getPointerOperand();
  }
  return !address || !is_threadgroup_memory(address, thread);
}

}  // namespace

bool is_buffer(const llvm::Value* value, const llvm::Function& thread) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load) return false;
  const llvm::Value* table = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
  return is_context_field(table, offsetof(GroupContext, buffers), thread);
}

bool is_threadgroup_memory(const llvm::Value* address, const llvm::Function& thread) {
  return is_context_field(llvm::getUnderlyingObject(address, 0),
                          offsetof(GroupContext, threadgroup_memory), thread);
}

llvm::DenseSet<const llvm::StoreInst*> find_streamed_stores(const llvm::Function& thread) {
  llvm::DenseSet<const llvm::Value*> read;
  std::vector<const llvm::StoreInst*> stores;
  for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
    if (orders_memory(instruction, thread)) return {};
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) stores.push_back(store);
    if (!llvm::isa<llvm::LoadInst>(instruction)) continue;
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(llvm::getLoadStorePointerOperand(&instruction), objects);
    read.insert(objects.begin(), objects.end());
  }
  llvm::DenseSet<const llvm::StoreInst*> streamed;
  for (const llvm::StoreInst* store : stores) {
    const llvm::Value* object = llvm::getUnderlyingObject(store->getPointerOperand(), 0);
    if (is_buffer(object, thread) && !read.contains(object)) streamed.insert(store);
  }
  return streamed;
}

}  // namespace assay::codegen
