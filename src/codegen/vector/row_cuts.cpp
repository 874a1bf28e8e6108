// Measures the longest way through the code and what is alive on it.
#include "codegen/vector/row_cuts.h"

#include <algorithm>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

// Lengths in instructions of 32 lanes by 32 bits. Measured, see decision 0003.
constexpr unsigned kMinLength = 40;
constexpr unsigned kShortestStage = 14;
constexpr unsigned kLongestStage = 36;
// What a row keeps from one stage to the next, at most.
constexpr unsigned kMaxVectorsKept = 5;
constexpr unsigned kMaxScalarsKept = 8;

// How many vectors of 32 lanes by 32 bits a value takes; none for scalars and masks.
unsigned vectors_of(const llvm::Value& value) {
  constexpr uint64_t kVectorBits = 32 * 32;
  const llvm::Type* type = value.getType();
  if (type->isAggregateType()) return kMaxVectorsKept + 1;
  if (!type->isVectorTy() || type->getScalarSizeInBits() == 1) return 0;
  return static_cast<unsigned>(
      llvm::divideCeil(type->getPrimitiveSizeInBits().getFixedValue(), kVectorBits));
}

bool is_scalar(const llvm::Value& value) {
  return !value.getType()->isVoidTy() && vectors_of(value) == 0;
}

// How many values from before each place of a function are needed there or later. What is used in a
// block beside the way is needed at the latest where that block stands.
class Liveness {
 public:
  Liveness(llvm::Function& row, unsigned (*weight)(const llvm::Value&)) {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&row);
    unsigned place = 0;
    for (llvm::BasicBlock* block : order) {
      for (llvm::Instruction& instruction : *block) places_[&instruction] = place++;
    }
    std::vector<int> change(place + 1, 0);
    for (auto& [instruction, defined] : places_) {
      unsigned last = defined;
      for (const llvm::User* user : instruction->users()) {
        last = std::max(last, places_.lookup(llvm::cast<llvm::Instruction>(user)));
      }
      const int weighs = static_cast<int>(weight(*instruction));
      change[defined + 1] += weighs;
      change[last + 1] -= weighs;
    }
    int alive = 0;
    for (int step : change) alive_.push_back(static_cast<unsigned>(alive += step));
  }

  unsigned before(const llvm::Instruction& instruction) const {
    return alive_[places_.lookup(&instruction)];
  }

 private:
  llvm::DenseMap<const llvm::Instruction*, unsigned> places_;
  std::vector<unsigned> alive_;
};

// An instruction that all rows run once that come to the end of a way.
struct Step {
  llvm::Instruction* instruction;
  unsigned length;  // of the way before it
};

struct Way {
  std::vector<Step> steps;
  unsigned length = 0;
};

Way way_to(llvm::BasicBlock& end, const llvm::DominatorTree& dominators,
           const llvm::LoopInfo& loops) {
  std::vector<llvm::BasicBlock*> path;
  for (auto* node = dominators.getNode(&end); node; node = node->getIDom()) {
    path.push_back(node->getBlock());
  }
  Way way;
  for (llvm::BasicBlock* block : llvm::reverse(path)) {
    if (loops.getLoopFor(block)) continue;
    for (llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      way.steps.push_back({&instruction, way.length});
      way.length += vectors_of(instruction);
    }
  }
  return way;
}

Way longest_way(llvm::Function& row) {
  llvm::DominatorTree dominators(row);
  llvm::LoopInfo loops(dominators);
  Way longest;
  auto try_way = [&](llvm::BasicBlock& end) {
    Way way = way_to(end, dominators, loops);
    if (way.length >= longest.length) longest = std::move(way);
  };
  for (llvm::BasicBlock& block : row) {
    if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
    try_way(block);
    // Not all rows run what comes before a shared end.
    if (!is_return(block)) continue;
    for (llvm::BasicBlock* before : llvm::predecessors(&block)) try_way(*before);
  }
  return longest;
}

}  // namespace

std::vector<llvm::Instruction*> choose_cuts(llvm::Function& row) {
  const Way way = longest_way(row);
  if (way.length < kMinLength) return {};
  const Liveness vectors(row, vectors_of);
  const Liveness scalars(row, [](const llvm::Value& value) { return unsigned{is_scalar(value)}; });
  std::vector<llvm::Instruction*> cuts;
  unsigned start = 0;
  const Step* best = nullptr;
  unsigned best_kept = 0;
  for (const Step& step : way.steps) {
    if (best && step.length - start > kLongestStage) {
      cuts.push_back(best->instruction);
      start = best->length;
      best = nullptr;
    }
    if (way.length - start <= kLongestStage || way.length - step.length < kShortestStage) break;
    const unsigned kept = vectors.before(*step.instruction);
    if (step.length - start < kShortestStage || kept > kMaxVectorsKept) continue;
    if (scalars.before(*step.instruction) > kMaxScalarsKept) continue;
    if (best && kept > best_kept) continue;
    best = &step;
    best_kept = kept;
  }
  if (best) cuts.push_back(best->instruction);
  return cuts;
}

}  // namespace assay::codegen
