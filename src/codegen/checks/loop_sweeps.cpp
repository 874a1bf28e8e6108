// See loop_sweeps.h.
#include "codegen/checks/loop_sweeps.h"

#include "codegen/intrinsics.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace assay::codegen {
namespace {

// Shorter loops are checked round by round: a sweep costs about as much as a few rounds.
constexpr unsigned kFewestRounds = 4;

// Threads that wait for each other may find other values in memory than in front of the loop.
bool orders_memory(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::FenceInst>(instruction)) return true;
  std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && (intrinsic->kind == IntrinsicKind::kThreadgroupBarrier ||
                       intrinsic->kind == IntrinsicKind::kSimdgroupBarrier);
}

bool orders_memory(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(
        *block, [](const llvm::Instruction& instruction) { return orders_memory(instruction); });
  });
}

// Lanes that are not there compute, too: no divisor may be 0 whatever the values.
bool divides_safely(const llvm::SCEV* expression) {
  auto is_unsafe = [](const llvm::SCEV* part) {
    const auto* division = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
    if (!division) return false;
    const llvm::SCEV* divisor = division->getRHS();
    if (const auto* number = llvm::dyn_cast<llvm::SCEVConstant>(divisor)) return number->isZero();
    const auto* largest = llvm::dyn_cast<llvm::SCEVUMaxExpr>(divisor);
    const auto* least =
        largest ? llvm::dyn_cast<llvm::SCEVConstant>(largest->getOperand(0)) : nullptr;
    return !least || least->isZero();
  };
  return !llvm::SCEVExprContains(expression, is_unsafe);
}

// An expression as it is in one round of a loop.
class RoundRewriter : public llvm::SCEVRewriteVisitor<RoundRewriter> {
 public:
  RoundRewriter(llvm::ScalarEvolution& evolution, const llvm::Loop& loop, const llvm::SCEV* round)
      : SCEVRewriteVisitor(evolution), loop_(loop), round_(round) {}

  const llvm::SCEV* visitAddRecExpr(const llvm::SCEVAddRecExpr* line) {
    if (line->getLoop() != &loop_) return line;
    const llvm::SCEV* step = line->getStepRecurrence(SE);
    const llvm::SCEV* round = SE.getTruncateOrZeroExtend(round_, step->getType());
    return SE.getAddExpr(line->getStart(), SE.getMulExpr(step, round));
  }

 private:
  const llvm::Loop& loop_;
  const llvm::SCEV* round_;
};

// A part of an argument that is there before the first round: one that threads have a copy of, or
// one value for all.
const llvm::Argument* find_argument(const llvm::LoadInst& load) {
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  llvm::APInt offset(64, 0);
  const auto* argument =
      llvm::dyn_cast<llvm::Argument>(load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true));
  if (!argument || !load.isSimple()) return nullptr;
  const uint64_t bytes =
      argument->hasByValAttr()
          ? layout.getTypeAllocSize(argument->getParamByValType()).getFixedValue()
          : argument->getDereferenceableBytes();
  const uint64_t size = layout.getTypeStoreSize(load.getType()).getFixedValue();
  const bool is_inside = !offset.isNegative() && offset.getZExtValue() + size <= bytes;
  return is_inside ? argument : nullptr;
}

// Whether anything in the loop may write `argument`. Nobody else has a thread's own copy; one value
// for all may be the memory of any buffer.
bool is_written(const llvm::Loop& loop, const llvm::Argument& argument) {
  auto may_write = [&](const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer);
    if (object == &argument) return true;
    const bool is_threads_own =
        llvm::isa<llvm::AllocaInst>(object) ||
        (llvm::isa<llvm::Argument>(object) && llvm::cast<llvm::Argument>(object)->hasByValAttr());
    return !argument.hasByValAttr() && !is_threads_own;
  };
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (!instruction.mayWriteToMemory() || find_intrinsic(instruction)) continue;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (!store || may_write(store->getPointerOperand())) return true;
    }
  }
  return false;
}

// Moves an instruction in front of the loop if it may go there; true if it has.
bool hoist(llvm::Loop& loop, llvm::Instruction& instruction) {
  bool has_moved = false;
  if (!instruction.mayReadOrWriteMemory()) {
    loop.makeLoopInvariant(&instruction, has_moved);
    return has_moved;
  }
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load) return false;
  // Its address must be there first, as all arithmetic in front of it.
  loop.makeLoopInvariant(load->getPointerOperand(), has_moved);
  const llvm::Argument* argument = find_argument(*load);
  if (!argument || !loop.hasLoopInvariantOperands(load) || is_written(loop, *argument))
    return false;
  load->moveBefore(loop.getLoopPreheader()->getTerminator());
  load->dropUBImplyingAttrsAndMetadata();
  return true;
}

// What is the same in all rounds goes in front of the loop, or results would look as if they
// changed.
void hoist(llvm::Loop& loop) {
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (llvm::BasicBlock* block : loop.blocks()) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        has_changed |= hoist(loop, instruction);
      }
    }
  }
}

void prepare(llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    if (!loop->getLoopPreheader()) {
      llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    }
    if (loop->getLoopPreheader()) hoist(*loop);
  }
}

}  // namespace

LoopSweeps::LoopSweeps(llvm::Function& function, const llvm::TargetLibraryInfo& library)
    : dominators_(function),
      loops_(dominators_),
      assumptions_(function),
      library_(library),
      evolution_(function, library_, assumptions_, dominators_, loops_) {
  prepare(dominators_, loops_);
}

// How often `block` runs: once a round, except for the last one where the loop ends above it. Null
// where that is not known.
const llvm::SCEV* LoopSweeps::count_rounds(const llvm::Loop& loop, const llvm::BasicBlock& block) {
  const llvm::BasicBlock* exit = loop.getExitingBlock();
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (!exit || !latch || !dominators_.dominates(&block, latch)) return nullptr;
  const llvm::SCEV* repeats = evolution_.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(repeats) || !divides_safely(repeats)) return nullptr;
  llvm::Type* word = llvm::Type::getInt64Ty(block.getContext());
  if (evolution_.getTypeSizeInBits(repeats->getType()) > word->getIntegerBitWidth()) return nullptr;
  const llvm::SCEV* rounds = evolution_.getNoopOrZeroExtend(repeats, word);
  if (dominators_.dominates(&block, exit)) {
    rounds = evolution_.getAddExpr(rounds, evolution_.getOne(word));
  } else if (!dominators_.dominates(exit, &block)) {
    return nullptr;
  }
  const auto* known = llvm::dyn_cast<llvm::SCEVConstant>(rounds);
  return known && known->getAPInt().ult(kFewestRounds) ? nullptr : rounds;
}

bool LoopSweeps::is_line(const llvm::SCEV* expression, const llvm::Loop& loop, bool may_extend) {
  if (evolution_.isLoopInvariant(expression, &loop)) return true;
  if (const auto* line = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression)) {
    return line->getLoop() == &loop && line->isAffine();
  }
  if (llvm::isa<llvm::SCEVZeroExtendExpr, llvm::SCEVSignExtendExpr>(expression)) {
    return may_extend &&
           is_line(llvm::cast<llvm::SCEVCastExpr>(expression)->getOperand(), loop, false);
  }
  if (!llvm::isa<llvm::SCEVAddExpr, llvm::SCEVMulExpr>(expression)) return false;
  const llvm::SCEV* varying = nullptr;
  for (const llvm::SCEV* operand : expression->operands()) {
    if (evolution_.isLoopInvariant(operand, &loop)) continue;
    if (varying) return false;
    varying = operand;
  }
  return is_line(varying, loop, may_extend);
}

const llvm::SCEV* LoopSweeps::at_round(const llvm::SCEV* expression, const llvm::Loop& loop,
                                       const llvm::SCEV* round) {
  return RoundRewriter(evolution_, loop, round).visit(expression);
}

std::optional<Sweep> LoopSweeps::find(llvm::LoadInst& load, const llvm::Value* object) {
  const llvm::Loop* loop = loops_.getLoopFor(load.getParent());
  if (!loop || !loop->isInnermost() || !loop->getLoopPreheader() || orders_memory(*loop)) {
    return std::nullopt;
  }
  llvm::Instruction* before = loop->getLoopPreheader()->getTerminator();
  const auto* start = llvm::dyn_cast_or_null<llvm::Instruction>(object);
  if (start && !dominators_.dominates(start, before)) return std::nullopt;
  const llvm::SCEV* address = evolution_.getSCEV(load.getPointerOperand());
  const llvm::SCEV* rounds = count_rounds(*loop, *load.getParent());
  if (!rounds || !is_line(address, *loop, true)) return std::nullopt;
  const llvm::SCEV* one = evolution_.getOne(rounds->getType());
  const llvm::SCEV* parts[] = {at_round(address, *loop, evolution_.getZero(rounds->getType())),
                               at_round(address, *loop, one),
                               at_round(address, *loop, evolution_.getMinusSCEV(rounds, one)),
                               rounds};
  const llvm::DataLayout& layout = load.getModule()->getDataLayout();
  llvm::SCEVExpander expander(evolution_, layout, "sweep", /*PreserveLCSSA=*/false);
  expander.disableCanonicalMode();
  llvm::Value* values[std::size(parts)];
  for (size_t i = 0; i < std::size(parts); ++i) {
    if (!divides_safely(parts[i]) || !expander.isSafeToExpandAt(parts[i], before)) {
      return std::nullopt;
    }
  }
  for (size_t i = 0; i < std::size(parts); ++i) {
    values[i] = expander.expandCodeFor(parts[i], parts[i]->getType(), before);
  }
  return Sweep{values[0], values[1], values[2], values[3], before};
}

}  // namespace assay::codegen
