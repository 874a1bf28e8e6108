// A forward analysis of the loads since the last barrier, and yields where one of them is in
// danger.
#include "codegen/passes/insert_yields.h"

#include <algorithm>
#include <vector>

#include "codegen/intrinsics.h"
#include "codegen/passes/thread_values.h"
#include "codegen/passes/threadgroup_addresses.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

bool is_barrier(const llvm::Instruction& instruction) {
  std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  return intrinsic && intrinsic->kind == IntrinsicKind::kThreadgroupBarrier;
}

// Where `instruction` reads and writes; null where it does not.
struct Touched {
  llvm::Value* read = nullptr;
  llvm::Value* written = nullptr;
  uint64_t bytes = 0;
};

Touched find_touched(llvm::Instruction& instruction, const llvm::DataLayout& layout) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return {.read = load->getPointerOperand(),
            .bytes = layout.getTypeStoreSize(load->getType()).getFixedValue()};
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return {.written = store->getPointerOperand(),
            .bytes = layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue()};
  }
  // What an atomic update reads may change at any time.
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return {.written = update->getPointerOperand(),
            .bytes = layout.getTypeStoreSize(update->getType()).getFixedValue()};
  }
  Touched touched;
  if (auto* set = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    touched.written = set->getDest();
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(set->getLength());
    touched.bytes = length ? length->getLimitedValue(UINT32_MAX) : UINT32_MAX;
  }
  if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
    touched.read = copy->getSource();
  }
  return touched;
}

// What happens in a block, in order.
struct Event {
  enum class Kind { kRead, kWrite, kMeeting } kind;
  llvm::Instruction* before;  // the event is that of this instruction, or in front of it
  size_t address = 0;         // of reads and writes: index in the list of places
};

class YieldInserter {
 public:
  YieldInserter(KernelBuild& build, llvm::Function& thread)
      : thread_(thread),
        dominators_(thread),
        loops_(dominators_),
        library_info_(library_info_impl_),
        assumptions_(thread),
        evolution_(thread, library_info_, assumptions_, dominators_, loops_),
        addresses_(thread, evolution_, build.threadgroup_variables) {}

  void run() {
    if (!collect()) return;
    compute_pending();
    for (llvm::BasicBlock* block : order_) {
      // Yields change the list.
      const std::vector<Event> events = events_[block];
      for (const Event& event : events) {
        if (event.kind == Event::Kind::kWrite) protect_from(event);
      }
    }
  }

 private:
  struct Place {
    const llvm::SCEV* address;
    uint64_t bytes;
  };

  // False if nothing can be in danger.
  bool collect() {
    bool reads = false, writes = false, meets = false;
    const llvm::DataLayout& layout = thread_.getParent()->getDataLayout();
    llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&thread_);
    order_.assign(blocks.begin(), blocks.end());
    for (llvm::BasicBlock* block : order_) {
      for (llvm::Instruction& instruction : *block) {
        if (is_barrier(instruction)) {
          meets = true;
          events_[block].push_back({Event::Kind::kMeeting, &instruction});
          continue;
        }
        Touched touched = find_touched(instruction, layout);
        reads |= add_event(Event::Kind::kRead, instruction, touched.read, touched.bytes);
        writes |= add_event(Event::Kind::kWrite, instruction, touched.written, touched.bytes);
      }
    }
    return reads && writes && meets;
  }

  bool add_event(Event::Kind kind, llvm::Instruction& instruction, llvm::Value* address,
                 uint64_t bytes) {
    if (!address || !is_threadgroup_memory(address, thread_)) return false;
    const llvm::SCEV* form = addresses_.describe(address);
    auto [place, is_new] = place_numbers_.try_emplace({form, bytes}, places_.size());
    if (is_new) places_.push_back({form, bytes});
    events_[instruction.getParent()].push_back({kind, &instruction, place->second});
    return true;
  }

  // Reads since the last meeting, on some way to the end of each block.
  void compute_pending() {
    pending_.clear();
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : order_) {
        llvm::BitVector after = pending_before(block, nullptr);
        llvm::BitVector& known = pending_[block];
        if (known == after) continue;
        known = std::move(after);
        changed = true;
      }
    }
  }

  // Up to `end`, or through the whole block.
  llvm::BitVector pending_before(llvm::BasicBlock* block, const llvm::Instruction* end) {
    llvm::BitVector pending(places_.size());
    for (llvm::BasicBlock* predecessor : llvm::predecessors(block)) {
      pending |= pending_[predecessor];
    }
    for (const Event& event : events_[block]) {
      if (end && !event.before->comesBefore(end)) break;
      if (event.kind == Event::Kind::kRead) pending.set(event.address);
      if (event.kind == Event::Kind::kMeeting) pending.reset();
    }
    return pending;
  }

  void protect_from(const Event& write) {
    llvm::Instruction* position = find_position(write.before);
    llvm::BitVector pending = pending_before(position->getParent(), position);
    const Place& written = places_[write.address];
    for (unsigned read : pending.set_bits()) {
      if (!addresses_.may_meet(places_[read].address, written.address,
                               std::max(places_[read].bytes, written.bytes),
                               *write.before->getParent())) {
        continue;
      }
      return add_yield(position);
    }
  }

  // In front of all loops around the store in which nobody waits: a yield costs as much as a
  // barrier, so there should not be many more of them.
  llvm::Instruction* find_position(llvm::Instruction* write) {
    llvm::Loop* outermost = nullptr;
    for (llvm::Loop* loop = loops_.getLoopFor(write->getParent()); loop && !has_barrier(*loop);
         loop = loop->getParentLoop()) {
      outermost = loop;
    }
    if (!outermost) return write;
    llvm::BasicBlock* before = outermost->getLoopPreheader();
    return before ? before->getTerminator() : write;
  }

  bool has_barrier(const llvm::Loop& loop) {
    return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock* block) {
      return llvm::any_of(events_[block], [](const Event& event) {
        return event.kind == Event::Kind::kMeeting && is_barrier(*event.before);
      });
    });
  }

  void add_yield(llvm::Instruction* position) {
    llvm::IRBuilder<> builder(position);
    auto* yield = builder.CreateCall(declare_yield(*thread_.getParent()));
    std::vector<Event>& events = events_[position->getParent()];
    auto next = llvm::find_if(
        events, [&](const Event& event) { return !event.before->comesBefore(position); });
    events.insert(next, {Event::Kind::kMeeting, yield});
    compute_pending();
  }

  llvm::Function& thread_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::TargetLibraryInfoImpl library_info_impl_;
  llvm::TargetLibraryInfo library_info_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  ThreadgroupAddresses addresses_;
  std::vector<llvm::BasicBlock*> order_;
  std::vector<Place> places_;
  llvm::DenseMap<std::pair<const llvm::SCEV*, uint64_t>, size_t> place_numbers_;
  llvm::DenseMap<const llvm::BasicBlock*, std::vector<Event>> events_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> pending_;
};

}  // namespace

Result<void> insert_yields(KernelBuild& build) {
  llvm::Function& thread = build.lanes ? *build.lanes : *build.entry;
  if (llvm::any_of(llvm::instructions(thread), is_barrier)) YieldInserter(build, thread).run();
  return {};
}

}  // namespace assay::codegen
