// Counts what a row of 64 would compute, and what it would keep in registers.
#include "codegen/vector/row_width.h"

#include <algorithm>

#include "codegen/passes/suspend_order.h"
#include "codegen/vector/lane_builder.h"
#include "codegen/vector/linear_plan.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

namespace assay::codegen {
namespace {

// In instructions of the kernel, each of which is two of the processor for 32 lanes. Measured: the
// next step hides what a shorter one waits for, while rows of 64 save up to 6 % at 43 instructions
// and 19 % at 100.
constexpr unsigned kMinLength = 40;
// Values of four registers each, of 32 registers. Measured: up to 10 % faster at 7, 4 to 9 %
// slower at 12.
constexpr unsigned kMaxAlive = 7;
constexpr unsigned kMinLanesPerRegister = 16;

// The part of a thread's code that threads usually run, in the order in which lanes run it.
class UsualCode {
 public:
  explicit UsualCode(llvm::Function& thread)
      : dominators_(thread), loops_(dominators_), order_(suspend_order(thread, loops_)) {
    for (llvm::BasicBlock* block : order_) {
      bool is_reached = block == order_.front() ||
                        llvm::any_of(llvm::predecessors(block),
                                     [&](auto* before) { return usual_.contains(before); });
      if (is_reached && !is_unlikely(*block)) usual_.insert(block);
    }
  }

  bool has_loops() const {
    return llvm::any_of(usual_,
                        [&](const auto* block) { return loops_.getLoopFor(block) != nullptr; });
  }
  const llvm::LoopInfo& loops() const { return loops_; }
  const std::vector<llvm::BasicBlock*>& order() const { return order_; }

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (llvm::BasicBlock* block : order_) {
      if (!usual_.contains(block)) continue;
      for (llvm::Instruction& instruction : *block) visit(instruction);
    }
  }

 private:
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  const std::vector<llvm::BasicBlock*> order_;
  llvm::DenseSet<const llvm::BasicBlock*> usual_;
};

struct Demand {
  unsigned length = 0;   // instructions on vectors
  unsigned alive = 0;    // vectors that are needed at once, at most
  bool is_plain = true;  // nothing goes lane by lane, or takes more than 32 bits of one
};

bool fits_lane(const llvm::Type& type) {
  return type.isSingleValueType() && !type.isPointerTy() && type.getScalarSizeInBits() <= 32;
}

Demand measure(const UsualCode& code, const Divergence& divergence) {
  Demand demand;
  llvm::DenseMap<const llvm::Instruction*, unsigned> places;
  unsigned place = 0;
  code.for_each([&](const llvm::Instruction& instruction) { places[&instruction] = place++; });
  std::vector<int> change(place + 1, 0);  // of what is alive, behind each place
  code.for_each([&](const llvm::Instruction& instruction) {
    demand.is_plain = demand.is_plain && !instruction.isAtomic();
    llvm::Type* type = instruction.getType();
    if (type->isVoidTy() || !divergence.shape(&instruction).is_varying()) return;
    ++demand.length;
    if (type->isIntegerTy(1)) return;  // masks have registers of their own
    demand.is_plain = demand.is_plain && fits_lane(*type);
    unsigned last = places[&instruction];
    for (const llvm::User* user : instruction.users()) {
      auto found = places.find(llvm::cast<llvm::Instruction>(user));
      if (found != places.end()) last = std::max(last, found->second);
    }
    ++change[places[&instruction]];
    --change[last];
  });
  int alive = 0;
  for (int step : change) {
    alive += step;
    demand.alive = std::max(demand.alive, static_cast<unsigned>(alive));
  }
  return demand;
}

}  // namespace

unsigned choose_row_lanes(KernelBuild& build, const LaneAssumptions& assumptions) {
  llvm::Function& thread = *build.lanes;
  if (build.options.checked || !assumptions.private_strides.empty()) return kLanes;
  if (thread.getInstructionCount() < kMinLength) return kLanes;
  LaneBuilder builder(thread, build.target.getTargetTransformInfo(thread));
  if (builder.lanes_per_register() < kMinLanesPerRegister) return kLanes;
  UsualCode code(thread);
  if (code.has_loops()) return kLanes;
  Divergence divergence(thread, code.loops(), code.order(), assumptions, {});
  Demand demand = measure(code, divergence);
  bool is_wide = demand.is_plain && demand.length >= kMinLength && demand.alive <= kMaxAlive;
  return is_wide ? kMaxLanes : kLanes;
}

}  // namespace assay::codegen
