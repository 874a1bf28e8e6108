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
    llvm::Value* parted = versions_.has_guards ? variable(builder_.getInt8Ty(), 1) : nullptr;
    loop_over_lines([&](const FirstThread& line) {
      emit_loop(builder_, threads_[0], kLanes, [&](llvm::Value* x) {
        if (parted) {
          call_guarded(along(line, x), parted);
        } else {
          call_for_threads(along(line, x));
        }
      });
    });
  }

  // All whole rows of the group in each stage, then what is left of each line.
  void loop_over_stages() {
    whole_ = builder_.CreateAnd(threads_[0], builder_.getInt32(~(kLanes - 1)));
    // One more, for what is left of the last line.
    llvm::Value* parted =
        versions_.has_guards ? variable(builder_.getInt8Ty(), kMaxRows + 1) : nullptr;
    emit_if(builder_, builder_.CreateIsNotNull(whole_), [&] {
      Kept before;
      for (const RowStage& stage : versions_.stages) {
        Kept after;
        if (stage.kept) after = {stage.kept, variable(stage.kept, kMaxRows)};
        loop_over_whole_rows([&](const FirstThread& first) {
          const bool is_first = &stage == &versions_.stages.front();
          if (parted && is_first) builder_.CreateStore(builder_.getInt8(0), mark(parted, first));
          call_stage(stage, first, parted, before, after);
        });
        before = after;
      }
    });
    loop_over_rest(parted);
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

  void call(llvm::Function* version, const FirstThread& first) { call(version, arguments(first)); }

  void call(llvm::Function* function, const std::vector<llvm::Value*>& values) {
    calls_.push_back(builder_.CreateCall(function, values));
  }

  // `whole` where it fits, and `rest` where it does not, or where threads part at a guard.
  void call_guarded(const FirstThread& first, llvm::Value* parted) {
    builder_.CreateStore(builder_.getInt8(1), parted);
    emit_if(builder_, fits_whole(first), [&] {
      builder_.CreateStore(builder_.getInt8(0), parted);
      std::vector<llvm::Value*> values = arguments(first);
      values.push_back(parted);
      call(versions_.whole, values);
    });
    emit_if(builder_, is_marked(parted), [&] { call(versions_.rest, first); });
  }

  void loop_over_whole_rows(const std::function<void(const FirstThread&)>& body) {
    loop_over_lines([&](const FirstThread& line) {
      emit_loop(builder_, whole_, kLanes, [&](llvm::Value* x) { body(along(line, x)); });
    });
  }

  // Behind the stages: the ends of lines, and rows whose threads parted at a guard.
  void loop_over_rest(llvm::Value* parted) {
    if (!parted) {
      emit_if(builder_, builder_.CreateICmpNE(whole_, threads_[0]), [&] {
        loop_over_lines(
            [&](const FirstThread& line) { call(versions_.rest, along(line, whole_)); });
      });
      return;
    }
    loop_over_lines([&](const FirstThread& line) {
      emit_loop(builder_, threads_[0], kLanes, [&](llvm::Value* x) {
        const FirstThread first = along(line, x);
        llvm::Value* is_end = builder_.CreateICmpEQ(x, whole_);
        llvm::Value* is_left = builder_.CreateLogicalOr(is_end, is_marked(mark(parted, first)));
        emit_if(builder_, is_left, [&] { call(versions_.rest, first); });
      });
    });
  }

  llvm::Value* is_marked(llvm::Value* address) {
    return builder_.CreateIsNotNull(builder_.CreateLoad(builder_.getInt8Ty(), address));
  }

  // Rows are numbered as they come: each line has `whole_` threads of them.
  llvm::Value* row_number(const FirstThread& first) {
    llvm::Value* line =
        builder_.CreateAdd(builder_.CreateMul(first.position[2], threads_[1]), first.position[1]);
    llvm::Value* thread = builder_.CreateAdd(builder_.CreateMul(line, whole_), first.position[0]);
    return builder_.CreateUDiv(thread, builder_.getInt32(kLanes));
  }

  llvm::Value* mark(llvm::Value* marks, const FirstThread& first) {
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), marks, row_number(first));
  }

  // What all rows keep from one stage to the next, if anything.
  struct Kept {
    llvm::StructType* type = nullptr;
    llvm::Value* memory = nullptr;
  };

  void call_stage(const RowStage& stage, const FirstThread& first, llvm::Value* parted,
                  const Kept& before, const Kept& after) {
    auto part = [&](const Kept& kept) -> llvm::Value* {
      if (!kept.type) return llvm::ConstantPointerNull::get(builder_.getPtrTy());
      return builder_.CreateInBoundsGEP(kept.type, kept.memory, row_number(first));
    };
    std::vector<llvm::Value*> values = arguments(first);
    if (parted) values.push_back(mark(parted, first));
    values.push_back(part(before));
    values.push_back(part(after));
    call(stage.function, values);
  }

  llvm::Value* variable(llvm::Type* type, unsigned count) {
    llvm::BasicBlock& entry = build_.entry->getEntryBlock();
    return llvm::IRBuilder<>(&entry, entry.begin())
        .CreateAlloca(type, builder_.getInt32(count), "kept");
  }

  static constexpr unsigned kMaxRows = kernel::kMaxThreadsPerThreadgroup / kLanes;

  KernelBuild& build_;
  const Versions& versions_;
  llvm::IRBuilder<> builder_;
  llvm::Value* context_;
  Vector3 threads_;
  llvm::Value* whole_ = nullptr;  // threads of a line that whole rows take, where there are stages
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
