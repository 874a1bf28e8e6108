// Analyses, emission of both versions, and the entry that chooses between them.
#include "codegen/vector/vectorise.h"

#include <cstddef>
#include <functional>

#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/build_entry.h"
#include "codegen/passes/kernel_call.h"
#include "codegen/passes/suspend_order.h"
#include "codegen/passes/thread_values.h"
#include "codegen/vector/private_memory.h"
#include "codegen/vector/row_width.h"
#include "codegen/vector/vector_emitter.h"
#include "kernel/cpu_abi.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {

using kernel::ExecutionForm;
using kernel::ThreadState;

namespace {

// How the threads of a threadgroup are taken many at a time.
enum class Grouping : uint8_t {
  kSimdgroups,  // by index, as Metal forms simdgroups
  kRows,        // by position along x: for kernels that cannot tell, whatever the group's shape
};

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

// Lane 0's thread. Only versions for neighbours along x ask for its position.
struct FirstThread {
  llvm::Value* index = nullptr;
  Vector3 position = {};

  std::vector<llvm::Value*> arguments(llvm::Value* context) const {
    return {context, index, position[0], position[1], position[2]};
  }
};

// One version of the kernel: a function of the context and of lane 0's thread.
class VersionBuilder {
 public:
  VersionBuilder(KernelBuild& build, LaneAssumptions assumptions, Version version,
                 unsigned lanes = kLanes)
      : build_(build),
        assumptions_(std::move(assumptions)),
        version_(version),
        lanes_(lanes),
        dominators_(*build.lanes),
        loops_(dominators_),
        order_(suspend_order(*build.lanes, loops_)) {}

  Result<llvm::Function*> build(const char* name) {
    llvm::LLVMContext& context = build_.module.getContext();
    llvm::Type* number = llvm::Type::getInt32Ty(context);
    auto* type = llvm::FunctionType::get(
        llvm::Type::getVoidTy(context),
        {llvm::PointerType::get(context, 0), number, number, number, number}, false);
    llvm::Function* version =
        create_function(*build_.lanes, type, llvm::GlobalValue::InternalLinkage, name);
    LaneBuilder builder(*version, build_.target.getTargetTransformInfo(*version), lanes_);
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "simdgroup", version));
    Result<void> emitted = emit(start(*version, builder), builder);
    if (!emitted) return emitted.error();
    build_.pipeline.promote_variables(*version);
    return version;
  }

 private:
  SimdgroupStart start(llvm::Function& version, LaneBuilder& builder) {
    SimdgroupStart start{.function = &version,
                         .context = version.getArg(0),
                         .mask = builder.all_lanes(),
                         .first_index = version.getArg(1),
                         .checks = build_.checks.get()};
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
  const unsigned lanes_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  const std::vector<llvm::BasicBlock*> order_;
};

using VersionCalls = std::vector<llvm::CallInst*>;

// What an entry function calls: `whole` where it fits, `rest` elsewhere.
struct Versions {
  Grouping grouping = Grouping::kSimdgroups;
  unsigned whole_lanes = kLanes;
  llvm::Function* whole = nullptr;
  llvm::Function* rest = nullptr;
};

// One step over the threads of a group.
struct VersionStep {
  VersionCalls calls;
  llvm::Value* lanes = nullptr;  // i32: how many threads it took
};

// Whether `whole` fits the threads that begin with `first`.
llvm::Value* fits_whole(llvm::IRBuilder<>& builder, const Versions& versions,
                        const FirstThread& first, const Vector3& threads) {
  llvm::Value* lanes = builder.getInt32(versions.whole_lanes);
  if (versions.grouping == Grouping::kRows) {
    return builder.CreateICmpULE(builder.CreateAdd(first.position[0], lanes), threads[0]);
  }
  llvm::Value* plane = builder.CreateMul(threads[1], threads[2]);
  llvm::Value* count = builder.CreateMul(threads[0], plane);
  llvm::Value* is_complete = builder.CreateICmpULE(builder.CreateAdd(first.index, lanes), count);
  llvm::Value* is_one_row = builder.CreateICmpEQ(plane, builder.getInt32(1));
  llvm::Value* rest = builder.CreateAnd(threads[0], builder.getInt32(kLanes - 1));
  llvm::Value* has_whole_rows = builder.CreateIsNull(rest);
  return builder.CreateAnd(is_complete, builder.CreateOr(is_one_row, has_whole_rows));
}

VersionStep call_version(llvm::IRBuilder<>& builder, const Versions& versions, llvm::Value* context,
                         const FirstThread& first, const Vector3& threads) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::Value* fits = fits_whole(builder, versions, first, threads);
  auto* whole = llvm::BasicBlock::Create(builder.getContext(), "whole", function);
  auto* rest = llvm::BasicBlock::Create(builder.getContext(), "rest", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "done", function);
  builder.CreateCondBr(fits, whole, rest);
  VersionStep step;
  for (auto [block, version] : {std::pair(whole, versions.whole), std::pair(rest, versions.rest)}) {
    builder.SetInsertPoint(block);
    step.calls.push_back(builder.CreateCall(version, first.arguments(context)));
    builder.CreateBr(done);
  }
  builder.SetInsertPoint(done);
  llvm::PHINode* lanes = builder.CreatePHI(builder.getInt32Ty(), 2);
  lanes->addIncoming(builder.getInt32(versions.whole_lanes), whole);
  lanes->addIncoming(builder.getInt32(kLanes), rest);
  step.lanes = lanes;
  return step;
}

Vector3 load_threads(llvm::IRBuilder<>& builder, llvm::Value* context) {
  return ThreadValues(builder, context).threads_per_threadgroup();
}

// Emits `body` in a loop from 0 up to below `count`, which is not 0; `body` gives the step.
void emit_loop(llvm::IRBuilder<>& builder, llvm::Value* count,
               const std::function<llvm::Value*(llvm::Value*)>& body) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* round = llvm::BasicBlock::Create(builder.getContext(), "round", function);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "end", function);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  builder.CreateBr(round);
  builder.SetInsertPoint(round);
  llvm::PHINode* counter = builder.CreatePHI(builder.getInt32Ty(), 2);
  counter->addIncoming(builder.getInt32(0), before);
  llvm::Value* next = builder.CreateNUWAdd(counter, body(counter));
  counter->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, count), round, after);
  builder.SetInsertPoint(after);
}

// Makes the versions part of the entry, so that what does not change is read once per group.
Result<void> inline_versions(KernelBuild& build, const Versions& versions,
                             const VersionCalls& calls) {
  for (llvm::CallInst* call : calls) {
    llvm::InlineFunctionInfo info;
    llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
    if (!inlined.isSuccess()) return build.internal_error(inlined.getFailureReason());
  }
  for (llvm::Function* version : {versions.whole, versions.rest}) version->eraseFromParent();
  return {};
}

// No division: the position counts along with the loops.
VersionCalls call_for_rows(llvm::IRBuilder<>& builder, const Versions& versions,
                           llvm::Value* context, const Vector3& threads) {
  VersionStep step;
  emit_loop(builder, threads[2], [&](llvm::Value* z) {
    emit_loop(builder, threads[1], [&](llvm::Value* y) {
      llvm::Value* row = builder.CreateAdd(builder.CreateMul(z, threads[1]), y);
      llvm::Value* start = builder.CreateMul(row, threads[0]);
      emit_loop(builder, threads[0], [&](llvm::Value* x) {
        FirstThread first{.index = builder.CreateAdd(start, x), .position = {x, y, z}};
        step = call_version(builder, versions, context, first, threads);
        return step.lanes;
      });
      return builder.getInt32(1);
    });
    return builder.getInt32(1);
  });
  return step.calls;
}

VersionCalls call_for_simdgroups(llvm::IRBuilder<>& builder, const Versions& versions,
                                 llvm::Value* context, const Vector3& threads) {
  llvm::Value* rows = builder.CreateMul(threads[1], threads[2]);
  VersionStep step;
  emit_loop(builder, builder.CreateMul(threads[0], rows), [&](llvm::Value* index) {
    llvm::Value* row = builder.CreateUDiv(index, threads[0]);
    Vector3 position = {builder.CreateURem(index, threads[0]), builder.CreateURem(row, threads[1]),
                        builder.CreateUDiv(row, threads[1])};
    step = call_version(builder, versions, context, {index, position}, threads);
    return step.lanes;
  });
  return step.calls;
}

// Loops over all threads of the group.
Result<void> build_plain_entry(KernelBuild& build, const Versions& versions) {
  llvm::Function* entry = build.entry;
  llvm::Value* context = entry->getArg(0);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(entry->getContext(), "group", entry));
  Vector3 threads = load_threads(builder, context);
  VersionCalls calls = versions.grouping == Grouping::kRows
                           ? call_for_rows(builder, versions, context, threads)
                           : call_for_simdgroups(builder, versions, context, threads);
  builder.CreateRetVoid();
  return inline_versions(build, versions, calls);
}

// Up to 32 threads, the first of which the ThreadState has; form-coroutine makes it resumable.
Result<void> build_resumable_entry(KernelBuild& build, const Versions& versions) {
  llvm::Function* entry = build.entry;
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(entry->getContext(), "threads", entry));
  auto load = [&](size_t offset) {
    llvm::Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry->getArg(1), offset);
    return builder.CreateLoad(builder.getInt32Ty(), address);
  };
  FirstThread first{.index = load(offsetof(ThreadState, index_in_threadgroup))};
  for (size_t axis = 0; axis < 3; ++axis) {
    first.position[axis] =
        load(offsetof(ThreadState, position_in_threadgroup) + axis * sizeof(uint32_t));
  }
  Vector3 threads = load_threads(builder, entry->getArg(0));
  VersionStep step = call_version(builder, versions, entry->getArg(0), first, threads);
  builder.CreateRet(builder.getInt64(0));
  return inline_versions(build, versions, step.calls);
}

Result<Versions> build_versions(KernelBuild& build, LaneAssumptions assumptions) {
  Versions versions;
  bool is_by_row = !uses(*build.lanes, depends_on_simdgroup);
  versions.grouping = is_by_row ? Grouping::kRows : Grouping::kSimdgroups;
  assumptions.starts_aligned = !is_by_row;
  assumptions.rows = true;
  if (is_by_row && !uses(*build.lanes, is_barrier)) {
    versions.whole_lanes = choose_row_lanes(build, assumptions);
  }
  Result<llvm::Function*> whole =
      VersionBuilder(build, assumptions, Version::kWhole, versions.whole_lanes)
          .build("threads.whole");
  if (!whole) return whole.error();
  assumptions.rows = is_by_row;
  Result<llvm::Function*> rest =
      VersionBuilder(build, assumptions, is_by_row ? Version::kPart : Version::kAny)
          .build("threads.rest");
  if (!rest) return rest.error();
  versions.whole = *whole;
  versions.rest = *rest;
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
  return is_resumable ? build_resumable_entry(build, *versions)
                      : build_plain_entry(build, *versions);
}

}  // namespace assay::codegen
