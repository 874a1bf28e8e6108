// See read_ahead.h.
#include "codegen/vector/read_ahead.h"

#include "codegen/intrinsics.h"
#include "codegen/passes/thread_values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

bool has_loops(llvm::Function& thread) {
  llvm::DominatorTree dominators(thread);
  return !llvm::LoopInfo(dominators).empty();
}

bool is_barrier(const llvm::Instruction& instruction) {
  std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && intrinsic->kind == IntrinsicKind::kThreadgroupBarrier;
}

}  // namespace

llvm::DenseSet<const llvm::LoadInst*> find_sweeping_loads(llvm::Function& thread) {
  if (has_loops(thread)) return {};
  llvm::DenseSet<const llvm::LoadInst*> loads;
  llvm::DenseSet<const llvm::Value*> buffers;
  for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
    if (is_barrier(instruction)) return {};
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load) continue;
    const llvm::Value* object = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
    if (object == load->getPointerOperand() || !is_buffer(object, thread)) continue;
    if (buffers.insert(object).second) loads.insert(load);
  }
  return loads;
}

}  // namespace assay::codegen
