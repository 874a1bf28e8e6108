// Analyses, emission of both versions, and the entry that chooses between them.
#include "codegen/vector/vectorise.h"

#include <cstddef>

#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/build_entry.h"
#include "codegen/passes/kernel_call.h"
#include "codegen/passes/suspend_order.h"
#include "codegen/passes/thread_values.h"
#include "codegen/vector/private_memory.h"
#include "codegen/vector/vector_emitter.h"
#include "kernel/cpu_abi.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {

using kernel::ExecutionForm;
using kernel::ThreadState;

namespace {

bool uses(const llvm::Function& function, IntrinsicKind kind) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    return intrinsic && intrinsic->kind == kind;
  });
}

// The positions of lanes that are neighbours along x: lane 0's, the others follow.
std::array<llvm::Value*, 3> row_position(LaneBuilder& builder, llvm::Value* first,
                                         const Vector3& threads) {
  llvm::Value* row = builder.CreateUDiv(first, threads[0]);
  return {builder.CreateURem(first, threads[0]), builder.CreateURem(row, threads[1]),
          builder.CreateUDiv(row, threads[1])};
}

std::array<llvm::Value*, 3> lane_positions(LaneBuilder& builder, llvm::Value* index,
                                           const Vector3& threads) {
  using llvm::Instruction;
  llvm::Value* columns = builder.splat(threads[0]);
  llvm::Value* rows = builder.splat(threads[1]);
  llvm::Value* row = builder.divide(Instruction::UDiv, index, columns);
  llvm::Value* x = builder.CreateSub(index, builder.CreateMul(row, columns));
  llvm::Value* z = builder.divide(Instruction::UDiv, row, rows);
  return {x, builder.CreateSub(row, builder.CreateMul(z, rows)), z};
}

// One version of the kernel: a function of the context and of the index of lane 0's thread.
class VersionBuilder {
 public:
  VersionBuilder(KernelBuild& build, LaneAssumptions assumptions)
      : build_(build),
        assumptions_(std::move(assumptions)),
        dominators_(*build.lanes),
        loops_(dominators_),
        order_(suspend_order(*build.lanes, loops_)) {}

  Result<llvm::Function*> build(const char* name) {
    llvm::LLVMContext& context = build_.module.getContext();
    auto* type = llvm::FunctionType::get(
        llvm::Type::getVoidTy(context),
        {llvm::PointerType::get(context, 0), llvm::Type::getInt32Ty(context)}, false);
    llvm::Function* version = create_version(type, name);
    LaneBuilder builder(*version, build_.target.getTargetTransformInfo(*version));
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "simdgroup", version));
    Result<void> emitted = emit(start(*version, builder), builder);
    if (!emitted) return emitted.error();
    build_.pipeline.promote_variables(*version);
    return version;
  }

 private:
  llvm::Function* create_version(llvm::FunctionType* type, const char* name) {
    llvm::Function* version =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, build_.module);
    version->addFnAttr(llvm::Attribute::NoUnwind);
    for (llvm::Attribute attribute : build_.lanes->getAttributes().getFnAttrs()) {
      if (attribute.isStringAttribute()) version->addFnAttr(attribute);
    }
    return version;
  }

  SimdgroupStart start(llvm::Function& version, LaneBuilder& builder) {
    SimdgroupStart start{.function = &version,
                         .context = version.getArg(0),
                         .mask = builder.all_lanes(),
                         .first_index = version.getArg(1)};
    ThreadValues values(builder, version.getArg(0));
    const Vector3& threads = values.threads_per_threadgroup();
    if (assumptions_.rows) {
      start.position = row_position(builder, start.first_index, threads);
      return start;
    }
    llvm::Value* index =
        builder.CreateAdd(builder.splat(start.first_index), builder.steps(builder.getInt32Ty(), 1));
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
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  const std::vector<llvm::BasicBlock*> order_;
};

struct Versions {
  llvm::Function* rows = nullptr;
  llvm::Function* any = nullptr;
};

// Calls the version that fits the simdgroup whose first thread is `first`.
void call_version(llvm::IRBuilder<>& builder, const Versions& versions, llvm::Value* context,
                  llvm::Value* first, const Vector3& threads, std::vector<llvm::CallInst*>& calls) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::Value* plane = builder.CreateMul(threads[1], threads[2]);
  llvm::Value* count = builder.CreateMul(threads[0], plane);
  llvm::Value* is_complete =
      builder.CreateICmpULE(builder.CreateAdd(first, builder.getInt32(kLanes)), count);
  llvm::Value* is_one_row = builder.CreateICmpEQ(plane, builder.getInt32(1));
  llvm::Value* rest = builder.CreateAnd(threads[0], builder.getInt32(kLanes - 1));
  llvm::Value* has_whole_rows = builder.CreateIsNull(rest);
  llvm::Value* fits = builder.CreateAnd(is_complete, builder.CreateOr(is_one_row, has_whole_rows));
  auto* row = llvm::BasicBlock::Create(builder.getContext(), "row", function);
  auto* other = llvm::BasicBlock::Create(builder.getContext(), "other", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "done", function);
  builder.CreateCondBr(fits, row, other);
  for (auto [block, version] : {std::pair(row, versions.rows), std::pair(other, versions.any)}) {
    builder.SetInsertPoint(block);
    calls.push_back(builder.CreateCall(version, {context, first}));
    builder.CreateBr(done);
  }
  builder.SetInsertPoint(done);
}

Vector3 load_threads(llvm::IRBuilder<>& builder, llvm::Value* context) {
  return ThreadValues(builder, context).threads_per_threadgroup();
}

// A loop over the simdgroups of the group.
void build_plain_entry(KernelBuild& build, const Versions& versions) {
  llvm::LLVMContext& context = build.module.getContext();
  llvm::Function* entry = build.entry;
  auto* before = llvm::BasicBlock::Create(context, "group", entry);
  auto* round = llvm::BasicBlock::Create(context, "round", entry);
  auto* after = llvm::BasicBlock::Create(context, "end", entry);
  llvm::IRBuilder<> builder(before);
  Vector3 threads = load_threads(builder, entry->getArg(0));
  llvm::Value* count = builder.CreateMul(builder.CreateMul(threads[0], threads[1]), threads[2]);
  builder.CreateBr(round);
  builder.SetInsertPoint(round);
  llvm::PHINode* first = builder.CreatePHI(builder.getInt32Ty(), 2, "first");
  first->addIncoming(builder.getInt32(0), before);
  std::vector<llvm::CallInst*> calls;
  call_version(builder, versions, entry->getArg(0), first, threads, calls);
  llvm::Value* next = builder.CreateNUWAdd(first, builder.getInt32(kLanes));
  first->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, count), round, after);
  builder.SetInsertPoint(after);
  builder.CreateRetVoid();
}

// One simdgroup, the first index of which its ThreadState has; form-coroutine makes it resumable.
Result<void> build_resumable_entry(KernelBuild& build, const Versions& versions) {
  llvm::Function* entry = build.entry;
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(entry->getContext(), "simdgroup", entry));
  llvm::Value* address = builder.CreateConstInBoundsGEP1_64(
      builder.getInt8Ty(), entry->getArg(1), offsetof(ThreadState, index_in_threadgroup));
  llvm::Value* first = builder.CreateLoad(builder.getInt32Ty(), address);
  std::vector<llvm::CallInst*> calls;
  Vector3 threads = load_threads(builder, entry->getArg(0));
  call_version(builder, versions, entry->getArg(0), first, threads, calls);
  builder.CreateRet(builder.getInt64(0));
  for (llvm::CallInst* call : calls) {
    llvm::InlineFunctionInfo info;
    llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
    if (!inlined.isSuccess()) return build.internal_error(inlined.getFailureReason());
  }
  for (llvm::Function* version : {versions.rows, versions.any}) version->eraseFromParent();
  return {};
}

}  // namespace

Result<void> vectorise(KernelBuild& build) {
  LaneAssumptions assumptions;
  if (!lay_out_private_memory(*build.lanes, assumptions)) {
    return build.fall_back("it has variables whose size is not constant");
  }
  Versions versions;
  for (bool rows : {true, false}) {
    assumptions.rows = rows;
    Result<llvm::Function*> version =
        VersionBuilder(build, assumptions).build(rows ? "simdgroup.rows" : "simdgroup.any");
    if (!version) return build.fall_back(version.error().message);
    (rows ? versions.rows : versions.any) = *version;
  }
  bool is_resumable = uses(*build.lanes, IntrinsicKind::kThreadgroupBarrier);
  build.form = is_resumable ? ExecutionForm::kResumableSimdgroup : ExecutionForm::kPlain;

  llvm::LLVMContext& context = build.module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::FunctionType* type =
      is_resumable ? llvm::FunctionType::get(llvm::Type::getInt64Ty(context),
                                             {pointer, pointer, pointer}, false)
                   : llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  build.kernel = build.lanes;
  build.entry = create_function(build, type, kEntrySymbol);
  build.kernel = nullptr;
  build.lanes->eraseFromParent();
  build.lanes = nullptr;
  if (is_resumable) return build_resumable_entry(build, versions);
  build_plain_entry(build, versions);
  return {};
}

}  // namespace assay::codegen
