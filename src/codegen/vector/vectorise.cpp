// Analyses, emission of both versions, and the entry that chooses between them.
#include "codegen/vector/vectorise.h"

#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/build_entry.h"
#include "codegen/passes/kernel_call.h"
#include "codegen/passes/suspend_order.h"
#include "codegen/passes/thread_values.h"
#include "codegen/vector/private_memory.h"
#include "codegen/vector/row_guards.h"
#include "codegen/vector/vector_emitter.h"
#include "codegen/vector/vector_entry.h"
#include "kernel/cpu_abi.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {

using kernel::ExecutionForm;

namespace {

// Code for a row or simdgroup, by what it may take for granted about its threads.
enum class Version : uint8_t {
  kWhole,  // as many neighbours along x as there are lanes
  kPart,   // fewer: the end of a row
  kAny,    // any simdgroup
};

bool uses(const llvm::Function& function, bool (*accept)(IntrinsicKind)) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    return intrinsic && accept(intrinsic->kind);
  });
}

bool depends_on_simdgroup(IntrinsicKind kind) {
  return is_cross_lane(kind) || kind == IntrinsicKind::kLane;
}

bool is_barrier(IntrinsicKind kind) { return kind == IntrinsicKind::kThreadgroupBarrier; }

std::array<llvm::Value*, 3> lane_positions(LaneBuilder& builder, llvm::Value* index,
                                           const Vector3& threads) {
  using llvm::Instruction;
  llvm::Value* columns = builder.splat(threads[0]);
  llvm::Value* rows = builder.splat(threads[1]);
  llvm::Value* row = builder.divide(Instruction::UDiv, index, columns, builder.all_lanes());
  llvm::Value* x = builder.CreateSub(index, builder.CreateMul(row, columns));
  llvm::Value* z = builder.divide(Instruction::UDiv, row, rows, builder.all_lanes());
  return {x, builder.CreateSub(row, builder.CreateMul(z, rows)), z};
}

// One version of the kernel: a function of the context and of lane 0's thread.
class VersionBuilder {
 public:
  // With `guards`, the version has one more parameter: the address of a byte that it sets, instead
  // of doing anything, where lanes part at a guard.
  VersionBuilder(KernelBuild& build, LaneAssumptions assumptions, Version version)
      : build_(build),
        assumptions_(std::move(assumptions)),
        version_(version),
        dominators_(*build.lanes),
        loops_(dominators_),
        order_(suspend_order(*build.lanes, loops_)) {}

  Result<llvm::Function*> build(const char* name) {
    llvm::LLVMContext& context = build_.module.getContext();
    llvm::Type* number = llvm::Type::getInt32Ty(context);
    llvm::Type* pointer = llvm::PointerType::get(context, 0);
    std::vector<llvm::Type*> parameters = {pointer, number, number, number, number};
    if (has_guards()) parameters.push_back(pointer);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
    llvm::Function* version =
        create_function(*build_.lanes, type, llvm::GlobalValue::InternalLinkage, name);
    LaneBuilder builder(*version, build_.target.getTargetTransformInfo(*version));
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "simdgroup", version));
    Result<void> emitted = emit(start(*version, builder), builder);
    if (is_too_long(*version, kVariables)) return Error{build_.size_reason()};
    if (!emitted) return emitted.error();
    build_.pipeline.promote_variables(*version);
    if (is_too_long(*version, kSimplified)) return Error{build_.size_reason()};
    return version;
  }

  bool has_guards() const { return !assumptions_.guards.empty(); }

  void take_guards() {
    Divergence divergence(*build_.lanes, loops_, order_, assumptions_, {});
    assumptions_.guards = find_guards(*build_.lanes, divergence);
  }

 private:
  // How much longer one version may be than what is left of both in the end, with variables in
  // memory and without: what is far too long is given up at once.
  static constexpr uint64_t kVariables = 4;
  static constexpr uint64_t kSimplified = 2;

  uint64_t limit(uint64_t factor) const { return factor * build_.options.vector_instruction_limit; }
  bool is_too_long(const llvm::Function& version, uint64_t factor) const {
    return version.getInstructionCount() > limit(factor);
  }

  SimdgroupStart start(llvm::Function& version, LaneBuilder& builder) {
    SimdgroupStart start{.function = &version,
                         .context = version.getArg(0),
                         .mask = builder.all_lanes(),
                         .first_index = version.getArg(1),
                         .processor = build_.target.getTargetCPU(),
                         .checks = build_.checks.get(),
                         .instruction_limit = limit(kVariables)};
    if (has_guards()) start.parted = version.getArg(5);
    ThreadValues values(builder, version.getArg(0));
    const Vector3& threads = values.threads_per_threadgroup();
    llvm::Constant* lanes = builder.steps(builder.getInt32Ty(), 1);
    if (version_ != Version::kAny) {
      start.position = {version.getArg(2), version.getArg(3), version.getArg(4)};
      if (version_ == Version::kPart) {
        llvm::Value* rest = builder.CreateSub(threads[0], start.position[0]);
        start.mask = builder.CreateICmpULT(lanes, builder.splat(rest));
      }
      return start;
    }
    llvm::Value* index = builder.CreateAdd(builder.splat(start.first_index), lanes);
    llvm::Value* count = builder.CreateMul(builder.CreateMul(threads[0], threads[1]), threads[2]);
    start.mask = builder.CreateICmpULT(index, builder.splat(count));
    start.position = lane_positions(builder, index, threads);
    return start;
  }

  Result<void> emit(const SimdgroupStart& start, LaneBuilder& builder) {
    llvm::DenseSet<const llvm::Loop*> forced;
    while (true) {
      Divergence divergence(*build_.lanes, loops_, order_, assumptions_, forced);
      LinearPlan plan(order_, loops_, divergence);
      if (const llvm::Loop* loop = plan.contradiction()) {
        if (!forced.insert(loop).second) return Error{"its control flow is too entangled"};
        continue;
      }
      return VectorEmitter(*build_.lanes, start, builder, order_, divergence, plan, assumptions_)
          .emit();
    }
  }

  KernelBuild& build_;
  LaneAssumptions assumptions_;
  const Version version_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  const std::vector<llvm::BasicBlock*> order_;
};

Result<Versions> build_versions(KernelBuild& build, LaneAssumptions assumptions) {
  Versions versions;
  bool is_by_row = !uses(*build.lanes, depends_on_simdgroup);
  versions.grouping = is_by_row ? Grouping::kRows : Grouping::kSimdgroups;
  assumptions.starts_aligned = !is_by_row;
  assumptions.rows = true;
  // Of which a row may be left to other code, or to a later stage.
  const bool is_simple = is_by_row && !build.options.checked && !uses(*build.lanes, is_barrier);
  VersionBuilder whole_builder(build, assumptions, Version::kWhole);
  if (is_simple) whole_builder.take_guards();
  versions.has_guards = whole_builder.has_guards();
  Result<llvm::Function*> whole = whole_builder.build("threads.whole");
  if (!whole) return whole.error();
  assumptions.rows = is_by_row;
  Result<llvm::Function*> rest =
      VersionBuilder(build, assumptions, is_by_row ? Version::kPart : Version::kAny)
          .build("threads.rest");
  if (!rest) return rest.error();
  versions.rest = *rest;
  // The optimiser leaves four fifths and more of it.
  const uint64_t instructions = (*whole)->getInstructionCount() + (*rest)->getInstructionCount();
  if (2 * instructions > 3 * build.options.vector_instruction_limit) {
    return Error{build.size_reason()};
  }
  if (is_simple) versions.stages = split_into_stages(**whole);
  versions.whole = versions.stages.empty() ? *whole : nullptr;
  return versions;
}

}  // namespace

Result<void> vectorise(KernelBuild& build) {
  LaneAssumptions assumptions;
  assumptions.trusts_indices = !build.options.checked;
  if (!lay_out_private_memory(*build.lanes, assumptions)) {
    return build.fall_back("it has variables whose size is not constant");
  }
  Result<Versions> versions = build_versions(build, assumptions);
  if (!versions) return build.fall_back(versions.error().message);
  bool is_resumable = uses(*build.lanes, is_barrier);
  bool is_by_row = versions->grouping == Grouping::kRows;
  build.form = !is_resumable ? ExecutionForm::kPlain
               : is_by_row   ? ExecutionForm::kResumableRow
                             : ExecutionForm::kResumableSimdgroup;

  llvm::LLVMContext& context = build.module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::FunctionType* type =
      is_resumable ? llvm::FunctionType::get(llvm::Type::getInt64Ty(context),
                                             {pointer, pointer, pointer}, false)
                   : llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  build.entry =
      create_function(*build.lanes, type, llvm::GlobalValue::ExternalLinkage, kEntrySymbol);
  // So that its fields can be read before the loop over the threads, whether or not one needs them.
  build.entry->addDereferenceableParamAttr(0, sizeof(kernel::GroupContext));
  build.entry->addParamAttr(
      0, llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(kernel::GroupContext))));
  build.lanes->eraseFromParent();
  build.lanes = nullptr;
  return is_resumable ? build_resumable_vector_entry(build, *versions)
                      : build_plain_vector_entry(build, *versions);
}

}  // namespace assay::codegen
