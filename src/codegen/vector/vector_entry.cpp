// Loops over threads, and the choice between the versions of a kernel.
#include "codegen/vector/vector_entry.h"

#include <cstddef>
#include <functional>

#include "codegen/passes/thread_values.h"
#include "codegen/vector/lane_builder.h"
#include "kernel/cpu_abi.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {

using kernel::ThreadState;

namespace {

// Lane 0's thread. Only versions for neighbours along x ask for its position.
struct FirstThread {
  llvm::Value* index = nullptr;
  Vector3 position = {};
};

// Emits `body` in a loop from 0 in steps up to below `count`, which is not 0.
void emit_loop(llvm::IRBuilder<>& builder, llvm::Value* count, unsigned step,
               const std::function<void(llvm::Value*)>& body) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* round = llvm::BasicBlock::Create(builder.getContext(), "round", function);
  auto* after = llvm::BasicBlock::Create(builder.getContext(), "end", function);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  builder.CreateBr(round);
  builder.SetInsertPoint(round);
  llvm::PHINode* counter = builder.CreatePHI(builder.getInt32Ty(), 2);
  counter->addIncoming(builder.getInt32(0), before);
  body(counter);
  llvm::Value* next = builder.CreateNUWAdd(counter, builder.getInt32(step));
  counter->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, count), round, after);
  builder.SetInsertPoint(after);
}

// Emits `body` behind a test of `condition`, and `otherwise`, if anything, on the other side.
void emit_if(
    llvm::IRBuilder<>& builder, llvm::Value* condition, const std::function<void()>& body,
    const std::function<void()>& otherwise = [] {}) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  auto* fits = llvm::BasicBlock::Create(builder.getContext(), "whole", function);
  auto* rest = llvm::BasicBlock::Create(builder.getContext(), "rest", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "done", function);
  builder.CreateCondBr(condition, fits, rest);
  builder.SetInsertPoint(fits);
  body();
  builder.CreateBr(done);
  builder.SetInsertPoint(rest);
  otherwise();
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

// Writes the calls of one entry function and then puts the versions in their places, so that what
// does not change is read once per group.
class EntryBuilder {
 public:
  EntryBuilder(KernelBuild& build, const Versions& versions, const char* block)
      : build_(build),
        versions_(versions),
        builder_(llvm::BasicBlock::Create(build.module.getContext(), block, build.entry)),
        context_(build.entry->getArg(0)),
        threads_(ThreadValues(builder_, context_).threads_per_threadgroup()) {}

  llvm::IRBuilder<>& builder() { return builder_; }

  void call_for_threads(const FirstThread& first) {
    emit_if(
        builder_, fits_whole(first), [&] { call(versions_.whole, first); },
        [&] { call(versions_.rest, first); });
  }

  void loop_over_simdgroups() {
    llvm::Value* rows = builder_.CreateMul(threads_[1], threads_[2]);
    emit_loop(builder_, builder_.CreateMul(threads_[0], rows), kLanes, [&](llvm::Value* index) {
      llvm::Value* row = builder_.CreateUDiv(index, threads_[0]);
      call_for_threads({.index = index,
                        .position = {builder_.CreateURem(index, threads_[0]),
                                     builder_.CreateURem(row, threads_[1]),
                                     builder_.CreateUDiv(row, threads_[1])}});
    });
  }

  void loop_over_rows() {
    loop_over_lines([&](const FirstThread& line) {
      emit_loop(builder_, threads_[0], kLanes,
                [&](llvm::Value* x) { call_for_threads(along(line, x)); });
    });
  }

  // All whole rows of the group in each stage, then what is left of each line.
  void loop_over_stages() {
    llvm::Value* whole = builder_.CreateAnd(threads_[0], builder_.getInt32(~(kLanes - 1)));
    emit_if(builder_, builder_.CreateIsNotNull(whole), [&] {
      llvm::Value* before = no_address();
      for (const RowStage& stage : versions_.stages) {
        llvm::Value* after = stage.kept ? memory_for(*stage.kept) : no_address();
        loop_over_lines([&](const FirstThread& line) {
          emit_loop(builder_, whole, kLanes, [&](llvm::Value* x) {
            call_stage(stage, along(line, x), whole, before, after);
          });
        });
        before = after;
        kept_before_ = stage.kept;
      }
    });
    emit_if(builder_, builder_.CreateICmpNE(whole, threads_[0]), [&] {
      loop_over_lines([&](const FirstThread& line) { call(versions_.rest, along(line, whole)); });
    });
  }

  Result<void> finish(llvm::Value* result) {
    if (result) {
      builder_.CreateRet(result);
    } else {
      builder_.CreateRetVoid();
    }
    for (llvm::CallInst* call : calls_) {
      llvm::InlineFunctionInfo info;
      llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
      if (!inlined.isSuccess()) return build_.internal_error(inlined.getFailureReason());
    }
    versions_.rest->eraseFromParent();
    if (versions_.whole) versions_.whole->eraseFromParent();
    for (const RowStage& stage : versions_.stages) stage.function->eraseFromParent();
    return {};
  }

 private:
  // Lines of threads along x. No division: the position counts along with the loops.
  void loop_over_lines(const std::function<void(const FirstThread&)>& body) {
    emit_loop(builder_, threads_[2], 1, [&](llvm::Value* z) {
      emit_loop(builder_, threads_[1], 1, [&](llvm::Value* y) {
        llvm::Value* line = builder_.CreateAdd(builder_.CreateMul(z, threads_[1]), y);
        body({.index = builder_.CreateMul(line, threads_[0]),
              .position = {builder_.getInt32(0), y, z}});
      });
    });
  }

  FirstThread along(FirstThread line, llvm::Value* x) {
    return {.index = builder_.CreateAdd(line.index, x),
            .position = {x, line.position[1], line.position[2]}};
  }

  // Whether `whole` fits the threads that begin with `first`.
  llvm::Value* fits_whole(const FirstThread& first) {
    llvm::Value* lanes = builder_.getInt32(kLanes);
    if (versions_.grouping == Grouping::kRows) {
      return builder_.CreateICmpULE(builder_.CreateAdd(first.position[0], lanes), threads_[0]);
    }
    llvm::Value* plane = builder_.CreateMul(threads_[1], threads_[2]);
    llvm::Value* count = builder_.CreateMul(threads_[0], plane);
    llvm::Value* end = builder_.CreateAdd(first.index, lanes);
    llvm::Value* is_one_row = builder_.CreateICmpEQ(plane, builder_.getInt32(1));
    llvm::Value* rest = builder_.CreateAnd(threads_[0], builder_.getInt32(kLanes - 1));
    llvm::Value* has_whole_rows = builder_.CreateIsNull(rest);
    return builder_.CreateAnd(builder_.CreateICmpULE(end, count),
                              builder_.CreateOr(is_one_row, has_whole_rows));
  }

  std::vector<llvm::Value*> arguments(const FirstThread& first) const {
    return {context_, first.index, first.position[0], first.position[1], first.position[2]};
  }

  void call(llvm::Function* version, const FirstThread& first) {
    calls_.push_back(builder_.CreateCall(version, arguments(first)));
  }

  // Rows are numbered as they come: each line has `whole` threads of them.
  void call_stage(const RowStage& stage, const FirstThread& first, llvm::Value* whole,
                  llvm::Value* before, llvm::Value* after) {
    llvm::Value* line =
        builder_.CreateAdd(builder_.CreateMul(first.position[2], threads_[1]), first.position[1]);
    llvm::Value* thread = builder_.CreateAdd(builder_.CreateMul(line, whole), first.position[0]);
    llvm::Value* row = builder_.CreateUDiv(thread, builder_.getInt32(kLanes));
    auto part = [&](llvm::StructType* kept, llvm::Value* memory) {
      return kept ? builder_.CreateInBoundsGEP(kept, memory, row) : memory;
    };
    std::vector<llvm::Value*> values = arguments(first);
    values.push_back(part(kept_before_, before));
    values.push_back(part(stage.kept, after));
    calls_.push_back(builder_.CreateCall(stage.function, values));
  }

  llvm::Value* no_address() {
    return llvm::Constant::getNullValue(llvm::PointerType::get(builder_.getContext(), 0));
  }

  llvm::Value* memory_for(llvm::StructType& kept) {
    constexpr unsigned kMaxRows = kernel::kMaxThreadsPerThreadgroup / kLanes;
    llvm::IRBuilder<> start(&build_.entry->getEntryBlock(), build_.entry->getEntryBlock().begin());
    return start.CreateAlloca(&kept, builder_.getInt32(kMaxRows), "kept");
  }

  KernelBuild& build_;
  const Versions& versions_;
  llvm::IRBuilder<> builder_;
  llvm::Value* context_;
  Vector3 threads_;
  llvm::StructType* kept_before_ = nullptr;
  std::vector<llvm::CallInst*> calls_;
};

}  // namespace

Result<void> build_plain_vector_entry(KernelBuild& build, const Versions& versions) {
  EntryBuilder entry(build, versions, "group");
  if (!versions.stages.empty()) {
    entry.loop_over_stages();
  } else if (versions.grouping == Grouping::kRows) {
    entry.loop_over_rows();
  } else {
    entry.loop_over_simdgroups();
  }
  return entry.finish(nullptr);
}

Result<void> build_resumable_vector_entry(KernelBuild& build, const Versions& versions) {
  EntryBuilder entry(build, versions, "threads");
  llvm::IRBuilder<>& builder = entry.builder();
  auto load = [&](size_t offset) {
    llvm::Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), build.entry->getArg(1), offset);
    return builder.CreateLoad(builder.getInt32Ty(), address);
  };
  FirstThread first{.index = load(offsetof(ThreadState, index_in_threadgroup))};
  for (size_t axis = 0; axis < 3; ++axis) {
    first.position[axis] =
        load(offsetof(ThreadState, position_in_threadgroup) + axis * sizeof(uint32_t));
  }
  entry.call_for_threads(first);
  return entry.finish(builder.getInt64(0));
}

}  // namespace assay::codegen
