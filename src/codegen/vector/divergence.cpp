// A fixpoint over shapes of values and divergence of branches; both only ever grow.
#include "codegen/vector/divergence.h"

#include <cstdlib>

#include "codegen/intrinsics.h"
#include "codegen/vector/lane_builder.h"
#include "kernel/cpu_abi.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

// Products beyond this are no use as strides, and could overflow.
constexpr int64_t kMaxStride = int64_t{1} << 31;
// All lanes of a wider stride do not fit into the half of 32 bits that the emitter takes for
// negative.
constexpr int64_t kMaxExtendedStride = (int64_t{1} << 31) / kLanes;

Shape scaled(Shape shape, int64_t factor) {
  if (!shape.is_strided()) return shape;
  if (factor > kMaxStride || factor < -kMaxStride) return Shape::varying();
  int64_t stride = shape.stride * factor;
  if (stride > kMaxStride || stride < -kMaxStride) return Shape::varying();
  return Shape::strided(stride);
}

Shape added(Shape a, Shape b, int64_t sign) {
  if (a.is_unknown() || b.is_unknown()) return Shape::unknown();
  if (a.is_varying() || b.is_varying()) return Shape::varying();
  return Shape::strided(a.stride + sign * b.stride);
}

// Which simdgroup, and which lane in it: `i / 32` and `i % 32` in all their spellings.
Shape split_count(unsigned opcode, Shape shape, const llvm::ConstantInt* constant) {
  if (!shape.starts_aligned || !constant) return Shape::varying();
  const llvm::APInt& number = constant->getValue();
  constexpr uint64_t kLast = kernel::kSimdgroupWidth - 1;
  switch (opcode) {
    case llvm::Instruction::And:
      if (number == kLast) return Shape::counting();
      return (number & kLast) == 0 ? Shape::uniform() : Shape::varying();
    case llvm::Instruction::LShr: return number.uge(5) ? Shape::uniform() : Shape::varying();
    case llvm::Instruction::UDiv:
      return number.urem(kernel::kSimdgroupWidth) == 0 ? Shape::uniform() : Shape::varying();
    case llvm::Instruction::URem:
      return number == kernel::kSimdgroupWidth ? Shape::counting() : Shape::varying();
    default: return Shape::varying();
  }
}

// Active lanes hold what the operation would give without a limit to its range.
bool cannot_wrap(const llvm::CastInst& cast) {
  const llvm::Value* value = cast.getOperand(0);
  if (llvm::isa<llvm::CallInst>(value)) return true;  // positions
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!operation) return false;
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
      return llvm::isa<llvm::SExtInst>(cast) ? operation->hasNoSignedWrap()
                                             : operation->hasNoUnsignedWrap();
    case llvm::Instruction::Or: return false;
    default: return true;  // parts of a counted position
  }
}

// Every use ends as an index: buffers end before indices wrap, so active lanes have not.
bool is_only_index(const llvm::Instruction& value,
                   llvm::SmallPtrSetImpl<const llvm::Instruction*>& seen) {
  if (!seen.insert(&value).second) return true;
  return llvm::all_of(value.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return true;
    const auto* next = llvm::cast<llvm::Instruction>(user);
    switch (next->getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
      case llvm::Instruction::Or:
      case llvm::Instruction::PHI: return is_only_index(*next, seen);
      default: return false;
    }
  });
}

// `trusts_indices`: see LaneAssumptions.
bool may_extend(const llvm::CastInst& cast, Shape shape, bool trusts_indices) {
  if (cast.getSrcTy()->getIntegerBitWidth() < 32) return false;
  if (std::abs(shape.stride) > kMaxExtendedStride) return false;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> seen;
  return cannot_wrap(cast) || (trusts_indices && is_only_index(cast, seen));
}

}  // namespace

Divergence::Divergence(llvm::Function& function, const llvm::LoopInfo& loops,
                       const std::vector<llvm::BasicBlock*>& order,
                       const LaneAssumptions& assumptions,
                       const llvm::DenseSet<const llvm::Loop*>& forced)
    : function_(function), loops_(loops), order_(order), assumptions_(assumptions) {
  for (unsigned i = 0; i < order.size(); ++i) position_[order[i]] = i;
  for (const llvm::Loop* loop : forced) add_divergent_loop(loop);
  bool changed = true;
  while (changed) {
    changed = update_values();
    changed |= update_branches();
    changed |= !changed && settle_one_phi();
  }
  find_partial_blocks();
}

// Blocks between a parting of lanes and the place where all must come by again, and the rounds of
// loops that lanes leave one by one.
void Divergence::find_partial_blocks() {
  for (const llvm::Loop* loop : divergent_loops_) {
    partial_.insert(loop->block_begin(), loop->block_end());
  }
  if (branches_.empty()) return;
  llvm::PostDominatorTree ends(function_);
  for (const llvm::BasicBlock* block : branches_) {
    const llvm::BasicBlock* meeting = ends.getNode(block)->getIDom()->getBlock();
    std::vector<const llvm::BasicBlock*> reached = {block};
    llvm::DenseSet<const llvm::BasicBlock*> seen;
    while (!reached.empty()) {
      const llvm::BasicBlock* from = reached.back();
      reached.pop_back();
      for (const llvm::BasicBlock* next : llvm::successors(from)) {
        if (next == meeting || !seen.insert(next).second) continue;
        partial_.insert(next);
        reached.push_back(next);
      }
    }
  }
}

Shape Divergence::shape(const llvm::Value* value) const {
  if (!llvm::isa<llvm::Instruction>(value)) return Shape::uniform();
  return shapes_.lookup(value);
}

bool Divergence::leaves_divergent_loop(const llvm::Value* value,
                                       const llvm::BasicBlock* user) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) return false;
  for (const llvm::Loop* loop = loops_.getLoopFor(instruction->getParent());
       loop && !loop->contains(user); loop = loop->getParentLoop()) {
    if (is_divergent(loop)) return true;
  }
  return false;
}

Shape Divergence::shape_at(const llvm::Value* value, const llvm::BasicBlock* user) const {
  Shape made = shape(value);
  if (made.is_unknown() || !leaves_divergent_loop(value, user)) return made;
  return Shape::varying();
}

bool Divergence::update_values() {
  bool changed = false;
  for (llvm::BasicBlock* block : order_) {
    for (llvm::Instruction& instruction : *block) {
      Shape& current = shapes_[&instruction];
      if (current.is_varying()) continue;
      Shape next = meet(current, compute(instruction));
      if (next == current) continue;
      current = next;
      changed = true;
    }
  }
  return changed;
}

// A value that starts a loop undefined and is only computed from itself has no shape by its
// operands. Any first value will do, so lanes may share one.
bool Divergence::settle_one_phi() {
  for (llvm::BasicBlock* block : order_) {
    for (llvm::PHINode& phi : block->phis()) {
      if (!shapes_[&phi].is_unknown()) continue;
      shapes_[&phi] = Shape::uniform();
      return true;
    }
  }
  return false;
}

bool Divergence::update_branches() {
  bool changed = false;
  for (llvm::BasicBlock* block : order_) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || branches_.contains(block)) continue;
    if (assumptions_.guards.contains(block)) continue;
    Shape condition = shape_at(branch->getCondition(), block);
    if (!condition.is_varying()) continue;
    changed = true;
    branches_.insert(block);
    spread({branch->getSuccessor(0), branch->getSuccessor(1)}, block, loops_.getLoopFor(block));
  }
  return changed;
}

void Divergence::add_divergent_loop(const llvm::Loop* loop) {
  if (!divergent_loops_.insert(loop).second) return;
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  loop->getUniqueExitBlocks(exits);
  // Lanes meet in an exit block that they came to in different rounds, by different ways.
  joins_.insert(exits.begin(), exits.end());
  spread({exits.begin(), exits.end()}, nullptr, loop->getParentLoop());
}

// Follows lanes that part towards `starts`, each way with a label of its own, to the blocks where
// ways meet. A loop around the parting (`loop` and its parents) is divergent when the ways that
// leave it and the way back to its header are not all one.
void Divergence::spread(const std::vector<llvm::BasicBlock*>& starts,
                        const llvm::BasicBlock* origin, const llvm::Loop* loop) {
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> labels;
  llvm::DenseMap<const llvm::Loop*, const llvm::BasicBlock*> way_of_loop;
  std::vector<const llvm::Loop*> divergent;
  auto arrive = [&](const llvm::BasicBlock* from, const llvm::BasicBlock* to,
                    const llvm::BasicBlock* label) {
    for (const llvm::Loop* around = loop; around; around = around->getParentLoop()) {
      // From the outside of a loop (an exit of an inner one) nothing leaves it a second time.
      if (from && !around->contains(from)) continue;
      bool is_back = to == around->getHeader();
      if (!is_back && around->contains(to)) break;
      auto [way, is_first] = way_of_loop.try_emplace(around, label);
      if (!is_first && way->second != label) divergent.push_back(around);
      if (is_back) return;
    }
    if (from && position_.lookup(to) <= position_.lookup(from)) return;  // another loop's way back
    auto [old, is_first] = labels.try_emplace(to, label);
    if (is_first || old->second == label) return;
    old->second = to;
    joins_.insert(to);
  };
  for (llvm::BasicBlock* start : starts) arrive(origin, start, start);
  unsigned first = static_cast<unsigned>(order_.size());
  for (const auto& [block, label] : labels) first = std::min(first, position_.lookup(block));
  for (unsigned i = first; i < order_.size(); ++i) {
    auto label = labels.find(order_[i]);
    if (label == labels.end()) continue;
    const llvm::BasicBlock* way = label->second;
    for (const llvm::BasicBlock* next : llvm::successors(order_[i])) arrive(order_[i], next, way);
  }
  for (const llvm::Loop* left : divergent) add_divergent_loop(left);
}

Shape Divergence::compute(const llvm::Instruction& instruction) const {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return compute_phi(*phi);
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    return compute_binary(*binary);
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return compute_cast(*cast);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    return compute_address(*address);
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return compute_call(*call);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    return Shape::strided(static_cast<int64_t>(assumptions_.private_strides.lookup(variable)));
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
    return Shape::varying();
  }
  if (llvm::isa<llvm::FreezeInst>(instruction)) {
    return shape_at(instruction.getOperand(0), instruction.getParent());
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    Shape condition = shape_at(select->getCondition(), select->getParent());
    Shape arms = meet(shape_at(select->getTrueValue(), select->getParent()),
                      shape_at(select->getFalseValue(), select->getParent()));
    return condition.is_varying() ? Shape::varying() : arms;
  }
  return combine_operands(instruction);
}

// Uniform operands make a uniform result; anything else is varying.
Shape Divergence::combine_operands(const llvm::Instruction& instruction) const {
  for (const llvm::Value* operand : instruction.operands()) {
    Shape shape = shape_at(operand, instruction.getParent());
    if (!shape.is_uniform()) return shape.is_unknown() ? shape : Shape::varying();
  }
  return Shape::uniform();
}

Shape Divergence::compute_phi(const llvm::PHINode& phi) const {
  Shape result;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (llvm::isa<llvm::UndefValue>(phi.getIncomingValue(i))) continue;
    // The edge itself may leave a loop.
    result = meet(result, shape_at(phi.getIncomingValue(i), phi.getParent()));
  }
  bool joins_lanes = joins_.contains(phi.getParent()) && !phi.hasConstantOrUndefValue();
  return joins_lanes ? Shape::varying() : result;
}

Shape Divergence::compute_binary(const llvm::BinaryOperator& operation) const {
  Shape left = shape_at(operation.getOperand(0), operation.getParent());
  Shape right = shape_at(operation.getOperand(1), operation.getParent());
  if (left.is_unknown() || right.is_unknown()) return Shape::unknown();
  if (left.is_uniform() && right.is_uniform()) return Shape::uniform();
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  bool is_small = constant && constant->getValue().abs().ult(kMaxStride);
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add: return added(left, right, 1);
    case llvm::Instruction::Sub: return added(left, right, -1);
    case llvm::Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint()) {
        return added(left, right, 1);
      }
      return Shape::varying();
    case llvm::Instruction::Mul:
      return is_small ? scaled(left, constant->getSExtValue()) : Shape::varying();
    case llvm::Instruction::And:
    case llvm::Instruction::LShr:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem: return split_count(operation.getOpcode(), left, constant);
    case llvm::Instruction::Shl:
      if (!is_small || constant->getZExtValue() > 30) return Shape::varying();
      return scaled(left, int64_t{1} << constant->getZExtValue());
    default: return Shape::varying();
  }
}

// A scalar that stands for all lanes cannot show that some of them wrapped.
Shape Divergence::compute_cast(const llvm::CastInst& cast) const {
  Shape shape = shape_at(cast.getOperand(0), cast.getParent());
  if (!shape.is_strided()) return shape;
  switch (cast.getOpcode()) {
    case llvm::Instruction::SExt:
      return may_extend(cast, shape, assumptions_.trusts_indices) ? shape : Shape::varying();
    case llvm::Instruction::ZExt:
      // The emitter undoes a wrap of rising values only.
      return shape.stride > 0 && may_extend(cast, shape, assumptions_.trusts_indices)
                 ? shape
                 : Shape::varying();
    case llvm::Instruction::Trunc:
      return cast.getDestTy()->getIntegerBitWidth() >= 32 ? shape : Shape::varying();
    default: return Shape::varying();
  }
}

Shape Divergence::compute_address(const llvm::GetElementPtrInst& address) const {
  const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
  Shape result = shape_at(address.getPointerOperand(), address.getParent());
  for (auto index = llvm::gep_type_begin(address); index != llvm::gep_type_end(address); ++index) {
    Shape shape = shape_at(index.getOperand(), address.getParent());
    if (!index.isStruct()) {
      // Narrow indices are extended to 64 bits, and may wrap before.
      bool is_wide = index.getOperand()->getType()->getIntegerBitWidth() >= 32;
      if (!is_wide && shape.is_strided()) shape = Shape::varying();
      auto bytes = static_cast<int64_t>(index.getSequentialElementStride(layout).getFixedValue());
      shape = scaled(shape, bytes);
    }
    result = added(result, shape, 1);
  }
  return result;
}

Shape Divergence::compute_call(const llvm::CallInst& call) const {
  std::optional<Intrinsic> intrinsic = find_intrinsic(call);
  if (!intrinsic) return combine_operands(call);
  switch (intrinsic->kind) {
    case IntrinsicKind::kLane: return Shape::counting();
    case IntrinsicKind::kThreadIndex:
      return assumptions_.starts_aligned ? Shape::counting() : Shape::strided(1);
    case IntrinsicKind::kThreadPosition: {
      bool is_x = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->isZero();
      if (!assumptions_.rows) return Shape::varying();
      return is_x ? Shape::counting() : Shape::uniform();
    }
    case IntrinsicKind::kSimdgroup:
    case IntrinsicKind::kThreadgroupMemory:
    case IntrinsicKind::kThreadgroupArena:
    case IntrinsicKind::kThreadgroupBarrier:
    case IntrinsicKind::kSimdgroupBarrier:
    case IntrinsicKind::kYield:
    case IntrinsicKind::kLoopRound:
    case IntrinsicKind::kLoopHeld:
    case IntrinsicKind::kMatrixMultiply:
    case IntrinsicKind::kCheckCondition:
    case IntrinsicKind::kCheckFloat:
    case IntrinsicKind::kCheckBarrier:
    case IntrinsicKind::kCheckFence:
    case IntrinsicKind::kCheckSweep:
    case IntrinsicKind::kCheckEarlyLoad:
    case IntrinsicKind::kPrint:
    case IntrinsicKind::kBallot: return Shape::uniform();
    case IntrinsicKind::kCheckAccess: {
      Shape address = shape_at(call.getArgOperand(1), call.getParent());
      return address.is_strided() ? Shape::varying() : address;
    }
    case IntrinsicKind::kReduce: {
      const auto* cluster = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
      bool is_whole = cluster && cluster->equalsInt(kernel::kSimdgroupWidth);
      return is_whole ? Shape::uniform() : Shape::varying();
    }
    case IntrinsicKind::kShuffle:
    case IntrinsicKind::kMatrixProduct:
    case IntrinsicKind::kScan: return Shape::varying();
  }
  return Shape::varying();
}

}  // namespace assay::codegen
