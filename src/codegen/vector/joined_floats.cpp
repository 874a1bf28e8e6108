// See joined_floats.h.
#include "codegen/vector/joined_floats.h"

#include "codegen/intrinsics.h"
#include "llvm/ADT/DenseSet.h"

namespace assay::codegen {
namespace {

// Their operands are kept until then, so that there cannot be many.
constexpr size_t kMaxJoined = 3;

llvm::CallInst* find_float_check(llvm::Instruction& instruction) {
  const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  if (!intrinsic || intrinsic->kind != IntrinsicKind::kCheckFloat) return nullptr;
  return llvm::cast<llvm::CallInst>(&instruction);
}

llvm::Instruction* checked_operation(const llvm::CallInst& check) {
  llvm::Value* word = check.getArgOperand(1);
  if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(word)) word = cast->getOperand(0);
  return llvm::dyn_cast<llvm::Instruction>(word);
}

// The operands that, not finite, let the result be finite never.
llvm::ArrayRef<llvm::Use> spreading_operands(const llvm::Instruction& operation) {
  const llvm::ArrayRef<llvm::Use> all(operation.op_begin(), operation.op_end());
  switch (operation.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FPTrunc: return all;
    case llvm::Instruction::FDiv: return all.take_front(1);
    default: return {};
  }
}

llvm::DenseSet<const llvm::Value*> checked_operations(llvm::BasicBlock& block) {
  llvm::DenseSet<const llvm::Value*> operations;
  for (llvm::Instruction& instruction : block) {
    const llvm::CallInst* check = find_float_check(instruction);
    if (!check) continue;
    if (const llvm::Instruction* operation = checked_operation(*check))
      operations.insert(operation);
  }
  return operations;
}

// What is made of a number in another way may be checked before a sum that it goes into, too. It
// would be told ahead of what it comes from.
void close_used(const llvm::Instruction& user, bool is_checked,
                llvm::DenseMap<const llvm::Value*, llvm::CallInst*>& open) {
  if (open.empty() || llvm::isa<llvm::BitCastInst>(user)) return;
  const llvm::ArrayRef<llvm::Use> spreading =
      is_checked ? spreading_operands(user) : llvm::ArrayRef<llvm::Use>();
  for (const llvm::Use& operand : user.operands()) {
    const bool spreads = llvm::any_of(spreading, [&](const auto& use) { return &use == &operand; });
    if (!spreads) open.erase(operand.get());
  }
}

}  // namespace

JoinedFloats::JoinedFloats(llvm::Function& thread) {
  for (llvm::BasicBlock& block : thread) join(block);
}

// What other calls and stores do may depend on what was found before them.
void JoinedFloats::join(llvm::BasicBlock& block) {
  llvm::DenseMap<const llvm::Value*, llvm::CallInst*> open;  // by the operation
  llvm::DenseMap<const llvm::CallInst*, size_t> counts;
  const llvm::DenseSet<const llvm::Value*> checked = checked_operations(block);
  for (llvm::Instruction& instruction : block) {
    llvm::CallInst* check = find_float_check(instruction);
    if (!check) {
      if (instruction.mayHaveSideEffects()) open.clear();
      close_used(instruction, checked.contains(&instruction), open);
      continue;
    }
    llvm::Instruction* operation = checked_operation(*check);
    if (!operation) continue;
    for (const llvm::Use& operand : spreading_operands(*operation)) {
      auto leader = open.find(operand.get());
      if (leader == open.end()) continue;
      const size_t joined = counts.lookup(leader->second) + 1;
      if (counts.lookup(check) + joined > kMaxJoined) {
        open.erase(leader);
        continue;
      }
      counts[check] += joined;
      leaders_[check].push_back(leader->second);
      followed_[leader->second] = check;
      open.erase(leader);
    }
    open[operation] = check;
  }
}

llvm::SmallVector<llvm::CallInst*, 4> JoinedFloats::made_by(llvm::CallInst& check) const {
  llvm::SmallVector<llvm::CallInst*, 4> made;
  auto found = leaders_.find(&check);
  if (found == leaders_.end()) return made;
  for (llvm::CallInst* leader : found->second) {
    made.append(made_by(*leader));
    made.push_back(leader);
  }
  return made;
}

}  // namespace assay::codegen
