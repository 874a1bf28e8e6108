// Blocks, masks and values; vector_instructions.cpp has the single instructions.
#include "codegen/vector/vector_emitter.h"

#include <cstddef>

#include "kernel/cpu_abi.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace assay::codegen {

VectorEmitter::VectorEmitter(llvm::Function& thread, const SimdgroupStart& start,
                             LaneBuilder& builder, const std::vector<llvm::BasicBlock*>& order,
                             const Divergence& divergence, const LinearPlan& plan,
                             const LaneAssumptions& assumptions)
    : thread_(thread),
      start_(start),
      builder_(builder),
      order_(order),
      divergence_(divergence),
      plan_(plan),
      assumptions_(assumptions),
      layout_(thread.getParent()->getDataLayout()),
      streamed_stores_(find_streamed_stores(thread)),
      // Lanes are missing at the edges of grids only: too seldom to ask for anything ahead.
      ahead_loads_(is_all_lanes(start.mask) ? find_ahead_loads(thread, start.processor)
                                            : AheadLoads()),
      joined_floats_(start.checks ? JoinedFloats(thread) : JoinedFloats()) {}

Result<void> VectorEmitter::emit() {
  create_blocks();
  find_row_loads();
  create_slots();
  if (refusal_.empty()) {
    llvm::BasicBlock* first = order_.front();
    load_streams();
    builder_.CreateStore(start_.mask, mask_slots_[first]);
    builder_.CreateBr(blocks_[first]);
    for (llvm::BasicBlock* block : order_) emit_block(*block);
  }
  if (!refusal_.empty()) return Error{refusal_};
  return {};
}

// Lines of memory must be written as a whole to go around the caches: not where lanes are missing.
void VectorEmitter::load_streams() {
  if (streamed_stores_.empty() || !is_all_lanes(start_.mask)) return;
  llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(
      builder_.getInt8Ty(), start_.context, offsetof(kernel::GroupContext, streams_results));
  llvm::LoadInst* flag = builder_.CreateLoad(builder_.getInt32Ty(), address);
  flag->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(builder_.getContext(), {}));
  streams_ = builder_.CreateIsNotNull(flag);
}

void VectorEmitter::refuse(const std::string& what) {
  if (refusal_.empty()) refusal_ = what;
}

// Counting takes as long as the function is, so it is done seldom.
void VectorEmitter::stop_at_limit() {
  constexpr uint64_t kInterval = 1024;
  if (++emitted_ % kInterval != 0) return;
  if (start_.function->getInstructionCount() > start_.instruction_limit) refuse("it is too long");
}

void VectorEmitter::create_blocks() {
  for (llvm::BasicBlock* block : order_) {
    blocks_[block] =
        llvm::BasicBlock::Create(builder_.getContext(), block->getName(), start_.function);
    llvm::AllocaInst* mask = builder_.variable(builder_.lane_type(builder_.getInt1Ty()), "mask");
    builder_.CreateStore(builder_.no_lanes(), mask);
    mask_slots_[block] = mask;
  }
}

// A value needs a variable when a block other than its own reads it: one for the blocks of its
// round, another one, which keeps the values of lanes that have left, for those behind the loop.
void VectorEmitter::create_slots() {
  for (llvm::BasicBlock* block : order_) {
    for (llvm::Instruction& instruction : *block) {
      if (instruction.getType()->isVoidTy() || instruction.getType()->isTokenTy()) continue;
      llvm::Type* wide = builder_.lane_type(instruction.getType());
      if (!wide) return refuse("it keeps whole arrays in values");
      if (llvm::isa<llvm::PHINode>(instruction)) {
        bool is_scalar = !divergence_.shape(&instruction).is_varying();
        phi_slots_[&instruction] =
            builder_.variable(is_scalar ? instruction.getType() : wide, "phi");
      }
      for (const llvm::Use& use : instruction.uses()) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const llvm::BasicBlock* where = user->getParent();
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
          where = phi->getIncomingBlock(use);
        }
        if (where == block) continue;
        create_slot(&instruction, divergence_.leaves_divergent_loop(&instruction, where));
      }
    }
  }
  // Loads of rows read values that only the computation of their addresses used before.
  for (const auto& [load, address] : row_addresses_) {
    auto create_for = [&, user = load->getParent()](const llvm::Value* value) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (instruction && instruction->getParent() != user) create_slot(value, false);
    };
    create_for(address.base);
    for (const auto& term : address.terms) create_for(term.first.value);
  }
}

void VectorEmitter::create_slot(const llvm::Value* value, bool leaves) {
  llvm::AllocaInst*& slot = leaves ? exit_slots_[value] : slots_[value];
  if (slot) return;
  bool is_wide = leaves || divergence_.shape(value).is_varying();
  llvm::Type* type = is_wide ? builder_.lane_type(value->getType()) : value->getType();
  slot = builder_.variable(type, leaves ? "exit" : "value");
}

void VectorEmitter::emit_block(llvm::BasicBlock& block) {
  if (!refusal_.empty()) return;
  current_ = &block;
  values_.clear();
  vectors_.clear();
  row_loads_.clear();
  picked_.clear();
  builder_.SetInsertPoint(blocks_[&block]);
  bool has_all_lanes = divergence_.is_met_by_all(&block) && is_all_lanes(start_.mask);
  mask_ = has_all_lanes
              ? start_.mask
              : builder_.CreateLoad(builder_.lane_type(builder_.getInt1Ty()), mask_slots_[&block]);
  if (plan_.of(&block).is_waited_for) {
    builder_.CreateStore(builder_.no_lanes(), mask_slots_[&block]);
  }
  if (llvm::BasicBlock* skip = plan_.skip_target(&block)) {
    auto* body = llvm::BasicBlock::Create(builder_.getContext(), block.getName() + ".lanes",
                                          start_.function);
    llvm::MDNode* weights = nullptr;
    if (is_unlikely(block)) {
      weights = llvm::MDBuilder(builder_.getContext()).createUnlikelyBranchWeights();
    }
    builder_.CreateCondBr(builder_.any(mask_), body, blocks_[skip], weights);
    builder_.SetInsertPoint(body);
  }
  for (llvm::Instruction& instruction : block) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      llvm::AllocaInst* slot = phi_slots_[phi];
      llvm::Type* type = slot->getAllocatedType();
      define(*phi, builder_.CreateLoad(type, slot));
      // Every lane that waited is served. Checked code has a phi behind each access: none of them
      // should carry on what inactive lanes had, which as a float may take long to compute with.
      if (start_.checks) builder_.CreateStore(llvm::PoisonValue::get(type), slot);
    } else if (!instruction.isTerminator()) {
      emit_instruction(instruction);
    }
    stop_at_limit();
    if (!refusal_.empty()) return;
  }
  emit_terminator(block);
}

void VectorEmitter::emit_terminator(llvm::BasicBlock& block) {
  const BlockPlan& plan = plan_.of(&block);
  llvm::Instruction* end = block.getTerminator();
  if (plan.divergent_loop) return emit_loop_end(block, plan);
  if (llvm::isa<llvm::ReturnInst>(end)) {
    builder_.CreateRetVoid();
  } else if (!llvm::isa<llvm::BranchInst>(end)) {
    refuse("it has a branch of an unknown kind");
  } else if (divergence_.is_divergent(&block)) {
    emit_divergent_branch(block, plan);
  } else {
    emit_uniform_branch(block, plan);
  }
}

void VectorEmitter::emit_uniform_branch(llvm::BasicBlock& block, const BlockPlan& plan) {
  auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  if (branch->isUnconditional()) {
    emit_edge(block, *branch->getSuccessor(0), mask_);
    builder_.CreateBr(blocks_[plan.next[0]]);
    return;
  }
  std::array<llvm::BasicBlock*, 2> edges;
  for (auto& edge : edges) {
    edge = llvm::BasicBlock::Create(builder_.getContext(), "edge", start_.function);
  }
  if (shape_here(branch->getCondition()).is_varying()) {
    emit_guard(vector(branch->getCondition()), edges);
  } else {
    builder_.CreateCondBr(scalar(branch->getCondition()), edges[0], edges[1], branch);
  }
  // Each side may load variables of its own.
  auto values = values_;
  auto vectors = vectors_;
  for (unsigned i = 0; i < 2; ++i) {
    values_ = values;
    vectors_ = vectors;
    builder_.SetInsertPoint(edges[i]);
    emit_edge(block, *branch->getSuccessor(i), mask_);
    builder_.CreateBr(blocks_[plan.next[i]]);
  }
}

void VectorEmitter::emit_guard(llvm::Value* condition,
                               const std::array<llvm::BasicBlock*, 2>& ways) {
  auto create_block = [&](const char* name) {
    return llvm::BasicBlock::Create(builder_.getContext(), name, start_.function);
  };
  llvm::BasicBlock* not_all = create_block("not.all");
  llvm::BasicBlock* part = create_block("part");
  llvm::Value* lanes = builder_.CreateFreeze(condition);
  builder_.CreateCondBr(builder_.is_full(lanes), ways[0], not_all);
  builder_.SetInsertPoint(not_all);
  builder_.CreateCondBr(builder_.any(lanes), part, ways[1]);
  builder_.SetInsertPoint(part);
  builder_.CreateStore(builder_.getInt8(1), start_.parted);
  builder_.CreateRetVoid();
}

// Frozen: an inactive lane's condition may be anything, but must stay the same thing.
std::array<llvm::Value*, 2> VectorEmitter::emit_parting(llvm::BasicBlock& block) {
  auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  llvm::Value* condition = builder_.CreateFreeze(vector(branch->getCondition()));
  std::array<llvm::Value*, 2> masks = {builder_.CreateAnd(mask_, condition),
                                       builder_.CreateAnd(mask_, builder_.CreateNot(condition))};
  for (unsigned i = 0; i < 2; ++i) emit_edge(block, *branch->getSuccessor(i), masks[i]);
  return masks;
}

void VectorEmitter::emit_divergent_branch(llvm::BasicBlock& block, const BlockPlan& plan) {
  emit_parting(block);
  builder_.CreateBr(blocks_[plan.next[0]]);
}

void VectorEmitter::emit_loop_end(llvm::BasicBlock& block, const BlockPlan& plan) {
  auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  llvm::BasicBlock* header = plan.divergent_loop->getHeader();
  llvm::Value* back = mask_;
  if (branch->isConditional()) {
    back = emit_parting(block)[branch->getSuccessor(0) == header ? 0 : 1];
  } else {
    emit_edge(block, *header, back);
  }
  if (plan.next.empty()) {
    builder_.CreateBr(blocks_[header]);
  } else {
    builder_.CreateCondBr(builder_.any(back), blocks_[header], blocks_[plan.next[0]]);
  }
}

void VectorEmitter::emit_edge(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* mask) {
  bool is_waited_for = plan_.of(&to).is_waited_for;
  llvm::AllocaInst* slot = mask_slots_[&to];
  llvm::Value* lanes = mask;
  if (is_waited_for) {
    lanes = builder_.CreateOr(builder_.CreateLoad(mask->getType(), slot), mask);
  }
  builder_.CreateStore(lanes, slot);
  for (llvm::PHINode& phi : to.phis()) {
    llvm::Value* incoming = phi.getIncomingValueForBlock(&from);
    llvm::AllocaInst* target = phi_slots_[&phi];
    llvm::Value* value = divergence_.shape(&phi).is_varying() ? vector(incoming) : scalar(incoming);
    bool needs_blend = is_waited_for && divergence_.shape(&phi).is_varying();
    if (needs_blend) {
      value = builder_.blend(mask, value, builder_.CreateLoad(value->getType(), target));
    }
    builder_.CreateStore(value, target);
  }
}

void VectorEmitter::define(llvm::Instruction& instruction, llvm::Value* value) {
  Shape shape = divergence_.shape(&instruction);
  (shape.is_varying() ? vectors_ : values_)[&instruction] = value;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) constants_[&instruction] = constant;
  if (llvm::AllocaInst* slot = slots_.lookup(&instruction)) builder_.CreateStore(value, slot);
  if (llvm::AllocaInst* slot = exit_slots_.lookup(&instruction)) {
    llvm::Value* wide = shape.is_varying() ? value : materialise(value, shape);
    llvm::Value* old = builder_.CreateLoad(wide->getType(), slot);
    builder_.CreateStore(builder_.blend(mask_, wide, old), slot);
  }
}

llvm::Value* VectorEmitter::scalar(llvm::Value* value) {
  if (llvm::isa<llvm::Argument>(value)) return start_.context;
  if (!llvm::isa<llvm::Instruction>(value)) return value;
  if (llvm::Constant* constant = constants_.lookup(value)) return constant;
  llvm::Value*& known = values_[value];
  if (!known) {
    llvm::AllocaInst* slot = slots_.lookup(value);
    known = builder_.CreateLoad(slot->getAllocatedType(), slot);
  }
  return known;
}

llvm::Value* VectorEmitter::vector(llvm::Value* value) {
  if (llvm::Value* known = vectors_.lookup(value)) return known;
  llvm::Value* result = nullptr;
  bool leaves = divergence_.leaves_divergent_loop(value, current_);
  llvm::AllocaInst* slot = leaves ? exit_slots_.lookup(value) : slots_.lookup(value);
  Shape made = divergence_.shape(value);
  if (llvm::Constant* constant = constants_.lookup(value)) {
    result = made.is_varying() ? constant : materialise(constant, made);
  } else if (leaves || made.is_varying()) {
    result = builder_.CreateLoad(slot->getAllocatedType(), slot);
  } else {
    result = materialise(scalar(value), made);
  }
  vectors_[value] = result;
  return result;
}

llvm::Value* VectorEmitter::materialise(llvm::Value* base, Shape shape) {
  if (!shape.is_strided()) return builder_.splat(base);
  if (base->getType()->isPointerTy()) {
    return builder_.CreateGEP(builder_.getInt8Ty(), base,
                              builder_.steps(builder_.getInt64Ty(), shape.stride));
  }
  return builder_.CreateAdd(builder_.splat(base), builder_.steps(base->getType(), shape.stride));
}

}  // namespace assay::codegen
