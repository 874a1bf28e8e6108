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

bool is_barrier(const llvm::Instruction& instruction) {
  std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && intrinsic->kind == IntrinsicKind::kThreadgroupBarrier;
}

// The buffer that the load reads an element of; null for other memory.
const llvm::Value* buffer_of(const llvm::LoadInst& load, const llvm::Function& thread) {
  const llvm::Value* object = llvm::getUnderlyingObject(load.getPointerOperand(), 0);
  return object != load.getPointerOperand() && is_buffer(object, thread) ? object : nullptr;
}

// The variable of the loop that an address adds to; null where there is none, or a long way to it.
llvm::PHINode* find_variable(llvm::Value* value, const llvm::Loop& loop, int depth = 8) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) {
    return phi->getParent() == loop.getHeader() ? phi : nullptr;
  }
  auto* step = llvm::dyn_cast<llvm::Instruction>(value);
  if (!step || depth == 0 || !loop.contains(step)) return nullptr;
  const bool is_sum = llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(step) ||
                      step->getOpcode() == llvm::Instruction::Add ||
                      step->getOpcode() == llvm::Instruction::Or;
  if (!is_sum) return nullptr;
  for (llvm::Value* operand : step->operands()) {
    if (llvm::PHINode* phi = find_variable(operand, loop, depth - 1)) return phi;
  }
  return nullptr;
}

// Whether a value, or 0 in its place, goes to threadgroup memory and nowhere else.
bool goes_to_threadgroup(const llvm::Value& value, const llvm::Function& thread, int depth = 3) {
  return !value.use_empty() && llvm::all_of(value.users(), [&](const llvm::User* user) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      return store->getValueOperand() == &value &&
             is_threadgroup_memory(store->getPointerOperand(), thread);
    }
    return depth > 0 && llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::CastInst>(user) &&
           goes_to_threadgroup(*user, thread, depth - 1);
  });
}

// Whether the processor sees by itself where the threads of a kernel without loops go on.
bool follows_pages(const llvm::Function& thread, llvm::StringRef processor) {
  constexpr unsigned kFewInstructions = 48;  // of which ten rows fit into its window
  return processor.starts_with("znver") && thread.getInstructionCount() <= kFewInstructions;
}

// The buffers' first loads.
llvm::DenseSet<const llvm::LoadInst*> find_sweeping(const llvm::Function& thread) {
  llvm::DenseSet<const llvm::LoadInst*> loads;
  llvm::DenseSet<const llvm::Value*> buffers;
  for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
    if (is_barrier(instruction)) return {};
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const llvm::Value* buffer = load ? buffer_of(*load, thread) : nullptr;
    if (buffer && buffers.insert(buffer).second) loads.insert(load);
  }
  return loads;
}

llvm::DenseMap<const llvm::LoadInst*, llvm::PHINode*> find_leaping(llvm::Function& thread,
                                                                   const llvm::LoopInfo& loops) {
  llvm::DenseMap<const llvm::LoadInst*, llvm::PHINode*> loads;
  llvm::DenseSet<std::pair<const llvm::Loop*, const llvm::Value*>> seen;
  for (llvm::Instruction& instruction : llvm::instructions(thread)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const llvm::Loop* loop = load ? loops.getLoopFor(load->getParent()) : nullptr;
    const llvm::Value* buffer = loop ? buffer_of(*load, thread) : nullptr;
    if (!buffer || seen.contains({loop, buffer})) continue;
    llvm::PHINode* variable = find_variable(load->getPointerOperand(), *loop);
    if (!variable) continue;
    seen.insert({loop, buffer});
    loads.insert({load, variable});
  }
  return loads;
}

llvm::DenseSet<const llvm::LoadInst*> find_tiles(const llvm::Function& thread) {
  llvm::DenseSet<const llvm::LoadInst*> loads;
  for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && buffer_of(*load, thread) && goes_to_threadgroup(*load, thread)) loads.insert(load);
  }
  return loads;
}

}  // namespace

AheadLoads find_ahead_loads(llvm::Function& thread, llvm::StringRef processor) {
  llvm::DominatorTree dominators(thread);
  const llvm::LoopInfo loops(dominators);
  AheadLoads loads;
  loads.tiles = find_tiles(thread);
  if (loops.empty() && !follows_pages(thread, processor)) {
    loads.sweeping = find_sweeping(thread);
  } else if (!loops.empty()) {
    loads.leaping = find_leaping(thread, loops);
  }
  return loads;
}

}  // namespace assay::codegen
