// Follows addresses back to the buffers they come from.
#include "codegen/vector/streamed_stores.h"

#include "codegen/passes/thread_values.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {

namespace {

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
