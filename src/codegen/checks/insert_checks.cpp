// See insert_checks.h.
#include "codegen/checks/insert_checks.h"

#include "codegen/checks/access_list.h"
#include "codegen/checks/barrier_site.h"
#include "codegen/checks/float_bits.h"
#include "codegen/checks/float_sources.h"
#include "codegen/checks/index_wrap.h"
#include "codegen/checks/loop_sweeps.h"
#include "codegen/checks/mark_missing_lanes.h"
#include "codegen/checks/mark_unset_variables.h"
#include "codegen/checks/memory_object.h"
#include "codegen/checks/own_elements.h"
#include "codegen/checks/source_place.h"
#include "codegen/checks/stored_reals.h"
#include "codegen/checks/thread_places.h"
#include "codegen/checks/unset_memory.h"
#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/inline_calls.h"
#include "codegen/runtime_call.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::codegen {

using kernel::CheckSite;
using kernel::SiteKind;
using kernel::SiteMemory;

namespace {

// The loads that `value` is computed from in a few steps.
void collect_loads(llvm::Value* value, llvm::SmallVectorImpl<llvm::LoadInst*>& loads,
                   unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 6;
  auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value);
  if (!instruction || depth == kMaxDepth) return;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    loads.push_back(load);
    return;
  }
  for (llvm::Use& operand : instruction->operands()) {
    collect_loads(operand.get(), loads, depth + 1);
  }
}

class CheckBuilder {
 public:
  explicit CheckBuilder(KernelBuild& build)
      : build_(build),
        access_(declare_check_access(build.module)),
        sweep_(declare_check_sweep(build.module)),
        condition_(declare_check_condition(build.module)),
        barrier_(declare_check_barrier(build.module)),
        places_(build.module.getDataLayout()) {}

  void number_conditions() {
    auto is_condition = [](IntrinsicKind kind) {
      return kind == IntrinsicKind::kCheckCondition || kind == IntrinsicKind::kCheckFloat;
    };
    for (llvm::CallInst* call : list_intrinsic_calls(*build_.kernel, is_condition)) {
      auto kind = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
      std::string name;
      if (const llvm::MDNode* variable = call->getMetadata(kVariableMetadata)) {
        name = llvm::cast<llvm::MDString>(variable->getOperand(0))->getString();
      }
      CheckSite site{.kind = static_cast<SiteKind>(kind), .object = std::move(name)};
      const bool is_float = find_intrinsic(*call)->kind == IntrinsicKind::kCheckFloat;
      if (is_float) site.type = type_name(*checked_floats(*call).front());
      if (site.kind == SiteKind::kNotFiniteCast) site.kind = settle_cast(*call);
      const bool is_use = site.kind == SiteKind::kNotFiniteStore;
      llvm::ConstantInt* number = add_site(*call, std::move(site));
      call->setArgOperand(0, number);
      if (is_float) sources_.add_operation(*call, number->getZExtValue());
      if (is_use) sources_.take_use(*call, number->getZExtValue());
    }
  }

  // Before there are other calls that watch accesses.
  void complete_unset_accesses() {
    auto is_access = [](IntrinsicKind kind) { return kind == IntrinsicKind::kCheckAccess; };
    for (llvm::CallInst* call : list_intrinsic_calls(*build_.kernel, is_access)) {
      const UnsetAccess access = unset_access_of(*call);
      llvm::IRBuilder<> builder(call);
      const MemoryObject object = find_object(build_, call->getArgOperand(1));
      const bool is_shared = object.memory == SiteMemory::kThreadgroupArgument ||
                             object.memory == SiteMemory::kThreadgroupVariable;
      if (!is_shared) {
        call->replaceAllUsesWith(builder.getTrue());
        call->eraseFromParent();
        continue;
      }
      call->setArgOperand(0, add_site(*call, {.kind = access.kind,
                                              .memory = object.memory,
                                              .slot = object.slot,
                                              .object_bytes = object.bytes,
                                              .bytes = access.bytes}));
      call->setArgOperand(3, object.start);
    }
  }

  void note_sources() { sources_.note(*build_.checks); }

  void watch_barriers() {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(*build_.kernel))) {
      std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
      if (!intrinsic) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      if (std::optional<CheckSite> site = find_barrier(call, intrinsic->kind)) {
        llvm::IRBuilder<> builder(&call);
        builder.CreateCall(barrier_, {add_site(call, std::move(*site))});
      }
      if (intrinsic->kind == IntrinsicKind::kCheckFence) call.eraseFromParent();
    }
  }

  // Loads and stores that are halves of one update, for which an atomic could stand.
  void find_updates(const std::vector<Access>& accesses) {
    const llvm::PostDominatorTree ends(*build_.kernel);
    for (const Access& access : accesses) {
      const llvm::LoadInst* load = find_updated(access);
      // Who reads without writing back does not update.
      if (!load || !ends.dominates(access.instruction, load)) continue;
      updates_.insert(load);
      updates_.insert(access.instruction);
    }
  }

  // Before any check changes the loops.
  void find_sweeps(const std::vector<Access>& accesses) {
    LoopSweeps sweeps(*build_.kernel, build_.pipeline.library_info());
    for (const Access& access : accesses) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
      if (!load || access.kind != SiteKind::kLoad) continue;
      MemoryObject object = find_object(build_, access.pointer);
      bool is_one_object = object.memory == SiteMemory::kBuffer ||
                           object.memory == SiteMemory::kThreadgroupArgument ||
                           object.memory == SiteMemory::kThreadgroupVariable;
      if (!is_one_object || is_known_inside(access, object)) continue;
      if (std::optional<Sweep> sweep = sweeps.find(*load, object.start)) {
        sweeps_.insert({load, *sweep});
      }
    }
  }

  void watch(const Access& access) {
    MemoryObject object = find_object(build_, access.pointer);
    if (object.memory == SiteMemory::kNone || is_known_inside(access, object)) return;
    CheckSite site{.kind = access.kind,
                   .memory = object.memory,
                   .slot = object.slot,
                   .object = object.name,
                   .declared = object.declared,
                   .type = access.type,
                   .object_bytes = object.bytes,
                   .bytes = access.bytes,
                   .alignment = access.alignment};
    if (object.memory == SiteMemory::kThread) return watch_variable(access, site);
    site.is_update = updates_.contains(access.instruction);
    site.own_bytes = find_own_bytes(build_, access.pointer, object, access.bytes);
    allow_any_alignment(*access.instruction);
    if (access.kind != SiteKind::kEarlyLoad) watch_wrap(access, site);
    llvm::IRBuilder<> builder(access.instruction);
    if (llvm::Value* real = stored_real(builder, access, object)) {
      watch_stored_real(builder, access, *real, site);
    }
    llvm::Value* value =
        access.value && access.bytes <= 8 ? to_bits(builder, access.value) : builder.getInt64(0);
    llvm::Value* none = llvm::ConstantPointerNull::get(builder.getPtrTy());
    llvm::Value* start = object.start ? object.start : none;
    llvm::ConstantInt* number = add_site(*access.instruction, std::move(site));
    sources_.add_load(*access.instruction, number->getZExtValue());
    if (auto sweep = sweeps_.find(access.instruction); sweep != sweeps_.end()) {
      sweep_ahead(*access.instruction, sweep->second, number, start);
      builder.SetInsertPoint(access.instruction);
    }
    llvm::Value* may = builder.CreateCall(access_, {number, access.pointer, value, start});
    guard(*access.instruction, may);
  }

 private:
  // NaN and infinity: what is stored to a buffer leaves the kernel; of what is stored to
  // threadgroup memory the address matters, from which others read it.
  void watch_stored_real(llvm::IRBuilder<>& builder, const Access& access, llvm::Value& real,
                         CheckSite store) {
    const bool is_shared = store.memory != SiteMemory::kBuffer;
    store.kind = is_shared ? SiteKind::kNotFiniteShared : SiteKind::kNotFiniteStore;
    store.type = type_name(*real.getType());
    llvm::Value* bits = to_bits(builder, &real);
    llvm::Value* nan = builder.CreateZExt(is_nan(builder, &real), builder.getInt64Ty());
    llvm::Value* address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
    llvm::Value* both = builder.CreateOr(bits, builder.CreateShl(nan, kernel::kSharedNanBit));
    llvm::ConstantInt* number = add_site(*access.instruction, std::move(store));
    sources_.add_use(&real, number->getZExtValue());
    builder.CreateCall(condition_, {number, emit_is_not_finite_unmeant(builder, &real),
                                    is_shared ? address : bits, is_shared ? both : nan});
  }

  // The number that a store puts into memory of such numbers that other threads see; null for other
  // stores. What was last computed as bits, such as a sign, is stored as an integer.
  llvm::Value* stored_real(llvm::IRBuilder<>& builder, const Access& access,
                           const MemoryObject& object) const {
    const bool is_buffer = object.memory == SiteMemory::kBuffer;
    const bool is_argument = is_buffer || object.memory == SiteMemory::kThreadgroupArgument;
    if (!access.value || (!is_argument && object.memory != SiteMemory::kThreadgroupVariable)) {
      return nullptr;
    }
    llvm::Type* type = access.value->getType();
    if (type->isFloatingPointTy()) return access.value;
    if (!is_argument) return nullptr;
    const kernel::Argument* argument = build_.info.find_argument(
        is_buffer ? kernel::ArgumentKind::kBuffer : kernel::ArgumentKind::kThreadgroupMemory,
        object.slot);
    if (!argument || !type->isIntegerTy()) return nullptr;
    auto holds = [&](const char* name) { return argument->type.find(name) != std::string::npos; };
    llvm::Type* real = holds("bfloat")  ? builder.getBFloatTy()
                       : holds("half")  ? builder.getHalfTy()
                       : holds("float") ? builder.getFloatTy()
                                        : nullptr;
    if (!real || real->getScalarSizeInBits() != type->getIntegerBitWidth()) return nullptr;
    return builder.CreateBitCast(access.value, real);
  }

  // The load that a store changes the value of; null where there is none, or where the value
  // depends on other elements of the same array, too: then threads do not add to one another's
  // results but lack an order.
  const llvm::LoadInst* find_updated(const Access& access) const {
    llvm::SmallVector<llvm::LoadInst*, 8> loads;
    collect_loads(access.value, loads);
    const llvm::LoadInst* updated = nullptr;
    for (const llvm::LoadInst* load : loads) {
      if (load->getPointerOperand() == access.pointer) updated = load;
    }
    if (!updated) return nullptr;
    const MemoryObject object = find_object(build_, access.pointer);
    for (llvm::LoadInst* load : loads) {
      if (load->getPointerOperand() == access.pointer) continue;
      const MemoryObject other = find_object(build_, load->getPointerOperand());
      if (other.memory == object.memory && other.start == object.start) return nullptr;
    }
    return updated;
  }

  // Arguments by reference have as many bytes as their type, which validation sees to.
  bool is_known_inside(const Access& access, const MemoryObject& object) const {
    bool is_sized = object.memory == SiteMemory::kThread || object.is_reference;
    if (!is_sized || !object.start) return false;
    const llvm::DataLayout& layout = build_.module.getDataLayout();
    llvm::APInt offset(64, 0);
    const llvm::Value* base = access.pointer->stripAndAccumulateConstantOffsets(
        layout, offset, /*AllowNonInbounds=*/true);
    return base == object.start && !offset.isNegative() &&
           offset.getZExtValue() + access.bytes <= object.bytes;
  }

  void watch_variable(const Access& access, CheckSite site) {
    const bool is_part = site.object_bytes == 0 || site.object_bytes >= access.bytes;
    std::optional<ThreadPlace> place = places_.find(access.pointer);
    if (!place || !is_part) return;
    llvm::IRBuilder<> builder(access.instruction);
    llvm::Value* end = builder.CreateSub(place->bytes, builder.getInt64(access.bytes));
    llvm::Value* is_wrong =
        builder.CreateOr(builder.CreateICmpULT(place->bytes, builder.getInt64(access.bytes)),
                         builder.CreateICmpUGT(place->offset, end));
    bool is_write = access.kind == SiteKind::kStore || access.kind == SiteKind::kBlockStore;
    site.kind = SiteKind::kThreadArray;
    site.is_update = is_write;
    builder.CreateCall(condition_, {add_site(*access.instruction, std::move(site)), is_wrong,
                                    place->offset, builder.getInt64(is_write ? 1 : 0)});
    guard(*access.instruction, builder.CreateNot(is_wrong));
  }

  void watch_wrap(const Access& access, const CheckSite& accessed) {
    for (llvm::CastInst* widened : find_widened_products(access.pointer)) {
      if (!watched_products_.insert(widened).second) continue;
      CheckSite site = accessed;
      site.kind = SiteKind::kIndexWrap;
      site.type = llvm::isa<llvm::SExtInst>(widened) ? "int" : "uint";
      const ExactIndex exact = emit_exact_index(*widened, access.instruction);
      llvm::IRBuilder<> builder(access.instruction);
      llvm::Instruction* made = llvm::dyn_cast<llvm::Instruction>(widened->getOperand(0));
      bool has_place = made && !source_places(made->getDebugLoc()).empty();
      builder.CreateCall(condition_,
                         {add_site(has_place ? *made : *access.instruction, std::move(site)),
                          exact.has_wrapped, widened, exact.number});
    }
  }

  // Two forms of the load: as it is if all rounds of the loop are fine, and the one that the
  // caller is about to guard.
  void sweep_ahead(llvm::Instruction& load, const Sweep& sweep, llvm::ConstantInt* site,
                   llvm::Value* start) {
    llvm::IRBuilder<> builder(sweep.before);
    llvm::Value* is_fine = builder.CreateCall(
        sweep_, {site, sweep.first, sweep.second, sweep.last, sweep.rounds, start});
    llvm::Instruction* fine = nullptr;
    llvm::Instruction* watched = nullptr;
    llvm::Instruction* next = load.getNextNode();
    llvm::SplitBlockAndInsertIfThenElse(is_fine, next, &fine, &watched);
    llvm::Instruction* plain = load.clone();
    plain->insertBefore(fine);
    builder.SetInsertPoint(next->getParent(), next->getParent()->begin());
    builder.SetCurrentDebugLocation(load.getDebugLoc());
    llvm::PHINode* result = builder.CreatePHI(load.getType(), 2);
    load.replaceAllUsesWith(result);
    load.moveBefore(watched);
    result->addIncoming(plain, fine->getParent());
    result->addIncoming(&load, watched->getParent());
  }

  // Moves the instruction behind a branch on `may`; without it, it gives 0.
  void guard(llvm::Instruction& instruction, llvm::Value* may) {
    if (is_early_load(instruction)) return;
    llvm::BasicBlock* before = instruction.getParent();
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(may, &instruction, false);
    instruction.moveBefore(then);
    if (instruction.getType()->isVoidTy() || instruction.use_empty()) return;
    llvm::BasicBlock* after = then->getSuccessor(0);
    llvm::IRBuilder<> builder(after, after->begin());
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::PHINode* result = builder.CreatePHI(instruction.getType(), 2);
    instruction.replaceAllUsesWith(result);
    result->addIncoming(&instruction, then->getParent());
    result->addIncoming(llvm::Constant::getNullValue(instruction.getType()), before);
  }

  llvm::ConstantInt* add_site(const llvm::Instruction& instruction, CheckSite site) {
    std::vector<kernel::SitePlace> places = source_places(instruction.getDebugLoc());
    if (places.empty()) places.push_back({build_.info.file, build_.info.line, 0});
    site.place = std::move(places.front());
    site.callers.assign(std::make_move_iterator(places.begin() + 1),
                        std::make_move_iterator(places.end()));
    build_.checks->sites.push_back(std::move(site));
    llvm::Type* number = llvm::Type::getInt32Ty(build_.module.getContext());
    return llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(number),
                                  build_.checks->sites.size() - 1);
  }

  KernelBuild& build_;
  llvm::FunctionCallee access_;
  llvm::FunctionCallee sweep_;
  llvm::FunctionCallee condition_;
  llvm::FunctionCallee barrier_;
  ThreadPlaces places_;
  FloatSources sources_;
  llvm::DenseSet<const llvm::CastInst*> watched_products_;
  llvm::DenseSet<const llvm::Instruction*> updates_;
  llvm::DenseMap<const llvm::Instruction*, Sweep> sweeps_;
};

// Marks say nothing to later passes. Functions that are called through pointers have them, too.
void erase_early_loads(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (is_early_load(instruction)) instruction.eraseFromParent();
    }
  }
}

}  // namespace

Result<void> insert_checks(KernelBuild& build) {
  if (Result<void> inlined =
          inline_every_call(build, *build.kernel, build.options.instruction_limit);
      !inlined)
    return inlined;
  build.pipeline.simplify(*build.kernel);
  mark_missing_lanes(*build.kernel);
  build.checks = std::make_shared<kernel::CheckTable>();
  const std::vector<Access> accesses = list_accesses(*build.kernel);
  CheckBuilder builder(build);
  builder.number_conditions();
  builder.complete_unset_accesses();
  builder.watch_barriers();
  builder.find_updates(accesses);
  builder.find_sweeps(accesses);
  for (const Access& access : accesses) builder.watch(access);
  builder.note_sources();
  erase_early_loads(build.module);
  // The functions around the kernel have no lines, and LLVM wants all or none.
  llvm::StripDebugInfo(build.module);
  return {};
}

}  // namespace assay::codegen
