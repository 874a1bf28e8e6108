// Suspend points and the frame protocol of kernel/cpu_abi.h in terms of llvm.coro intrinsics.
#include "codegen/passes/form_coroutine.h"

#include <cstddef>

#include "codegen/intrinsics.h"
#include "codegen/passes/suspend_order.h"
#include "fmt/format.h"
#include "kernel/cpu_abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::codegen {

using kernel::SuspendKind;
using kernel::ThreadState;

namespace {

constexpr uint32_t kFrameAlignment = 64;

// A loop without cross-lane operations needs no meeting of lanes; simplification may have removed
// the operation, or the loop, for which a round was marked.
bool is_useful_round(const llvm::Instruction& round, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(round.getParent());
  if (!loop) return false;
  for (const llvm::BasicBlock* block : loop->blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
      if (intrinsic && is_cross_lane(intrinsic->kind)) return true;
    }
  }
  return false;
}

// The suspend points in the order of their numbers; useless loop rounds are erased.
std::vector<llvm::CallInst*> list_suspend_points(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  std::vector<llvm::CallInst*> points;
  for (llvm::BasicBlock* block : suspend_order(function, loops)) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
      if (!intrinsic || !suspends(intrinsic->kind)) continue;
      if (intrinsic->kind == IntrinsicKind::kLoopRound && !is_useful_round(instruction, loops)) {
        instruction.eraseFromParent();
      } else {
        points.push_back(llvm::cast<llvm::CallInst>(&instruction));
      }
    }
  }
  return points;
}

class CoroutineBuilder {
 public:
  explicit CoroutineBuilder(llvm::Function& function)
      : function_(function), state_(function.getArg(1)), builder_(function.getContext()) {}

  void lower(const std::vector<llvm::CallInst*>& points) {
    finish_at_return();
    begin();
    for (uint32_t site = 0; site < points.size(); ++site) lower_point(*points[site], site);
    function_.setPresplitCoroutine();
  }

 private:
  // All threads leave through the one block that ends the coroutine, finished or suspended.
  void finish_at_return() {
    llvm::ReturnInst* return_instruction = nullptr;
    for (llvm::BasicBlock& block : function_) {
      if (auto* found = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        return_instruction = found;
      }
    }
    end_ = llvm::BasicBlock::Create(function_.getContext(), "end", &function_);
    builder_.SetInsertPoint(end_);
    builder_.CreateRet(builder_.getInt64(0));
    // A kernel that never ends has no return.
    if (!return_instruction) return;
    builder_.SetInsertPoint(return_instruction);
    store(offsetof(ThreadState, suspended_at), builder_.getInt32(uint32_t(SuspendKind::kFinished)));
    builder_.CreateBr(end_);
    return_instruction->eraseFromParent();
  }

  // "With frame == nullptr only returns the bytes": code before coro.begin runs at the start only.
  void begin() {
    llvm::LLVMContext& context = function_.getContext();
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::BasicBlock* body = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "body");
    auto* size = llvm::BasicBlock::Create(context, "size", &function_);
    auto* start = llvm::BasicBlock::Create(context, "start", &function_);
    entry.getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(&entry);
    llvm::Value* frame = function_.getArg(2);
    builder_.CreateCondBr(builder_.CreateIsNull(frame), size, start);

    builder_.SetInsertPoint(size);
    builder_.CreateRet(
        builder_.CreateIntrinsic(llvm::Intrinsic::coro_size, {builder_.getInt64Ty()}, {}));

    builder_.SetInsertPoint(start);
    llvm::Value* none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    llvm::Value* id = builder_.CreateIntrinsic(
        llvm::Intrinsic::coro_id, {}, {builder_.getInt32(kFrameAlignment), none, none, none});
    llvm::Value* handle = builder_.CreateIntrinsic(llvm::Intrinsic::coro_begin, {}, {id, frame});
    builder_.CreateBr(body);

    builder_.SetInsertPoint(end_->getTerminator());
    builder_.CreateIntrinsic(llvm::Intrinsic::coro_end, {},
                             {handle, builder_.getFalse(), llvm::ConstantTokenNone::get(context)});

    // Executors never destroy a frame, they reuse its memory.
    destroyed_ = llvm::BasicBlock::Create(context, "destroyed", &function_);
    builder_.SetInsertPoint(destroyed_);
    builder_.CreateUnreachable();
  }

  void lower_point(llvm::CallInst& call, uint32_t site) {
    Intrinsic intrinsic = *find_intrinsic(call);
    builder_.SetInsertPoint(&call);
    write_request(call, intrinsic);
    store(offsetof(ThreadState, site), builder_.getInt32(site));
    suspend(call);
    builder_.SetInsertPoint(&call);
    read_results(call, intrinsic);
    call.eraseFromParent();
  }

  // Splits the block before `call`, which then stands at the point where the thread resumes.
  void suspend(llvm::CallInst& call) {
    llvm::BasicBlock* before = call.getParent();
    llvm::BasicBlock* resumed = before->splitBasicBlock(&call, "resumed");
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(before);
    llvm::Value* signal = builder_.CreateIntrinsic(
        llvm::Intrinsic::coro_suspend, {},
        {llvm::ConstantTokenNone::get(function_.getContext()), builder_.getFalse()});
    llvm::SwitchInst* choice = builder_.CreateSwitch(signal, end_, 2);
    choice->addCase(builder_.getInt8(0), resumed);
    choice->addCase(builder_.getInt8(1), destroyed_);
  }

  void write_request(const llvm::CallInst& call, const Intrinsic& intrinsic) {
    switch (intrinsic.kind) {
      case IntrinsicKind::kThreadgroupBarrier: return write_kind(SuspendKind::kThreadgroupBarrier);
      case IntrinsicKind::kYield: return write_kind(SuspendKind::kYield);
      case IntrinsicKind::kSimdgroupBarrier:
      case IntrinsicKind::kLoopRound: return write_kind(SuspendKind::kReconverge);
      case IntrinsicKind::kShuffle:
        write_operands(call, 2);
        return write_kind(SuspendKind::kShuffle);
      case IntrinsicKind::kBallot: return write_ballot(call);
      case IntrinsicKind::kReduce:
        write_combination(call, intrinsic);
        return write_kind(SuspendKind::kReduce);
      case IntrinsicKind::kScan: return write_scan(call, intrinsic);
      case IntrinsicKind::kMatrixMultiply:
        write_operands(call, 6);
        return write_kind(SuspendKind::kMatrixMultiplyAccumulate);
      case IntrinsicKind::kLane:
      case IntrinsicKind::kSimdgroup:
      case IntrinsicKind::kThreadgroupMemory:
      case IntrinsicKind::kThreadgroupArena:
      case IntrinsicKind::kLoopHeld:
      case IntrinsicKind::kThreadPosition:
      case IntrinsicKind::kThreadIndex:
      case IntrinsicKind::kCheckAccess:
      case IntrinsicKind::kCheckSweep:
      case IntrinsicKind::kCheckCondition:
      case IntrinsicKind::kCheckFloat:
      case IntrinsicKind::kCheckBarrier:
      case IntrinsicKind::kCheckEarlyLoad:
      case IntrinsicKind::kCheckFence:
      case IntrinsicKind::kPrint:
      case IntrinsicKind::kMatrixProduct: return;  // do not suspend, or never get here
    }
  }

  void write_ballot(const llvm::CallInst& call) {
    llvm::Value* predicate = builder_.CreateIsNotNull(call.getArgOperand(0));
    store(offsetof(ThreadState, operands), builder_.CreateZExt(predicate, builder_.getInt64Ty()));
    write_kind(SuspendKind::kBallot);
  }

  void write_combination(const llvm::CallInst& call, const Intrinsic& intrinsic) {
    write_operands(call, 1);
    store(offsetof(ThreadState, cluster), call.getArgOperand(1));
    store(offsetof(ThreadState, combine), builder_.getInt32(uint32_t(intrinsic.combine)));
    store(offsetof(ThreadState, element), builder_.getInt32(uint32_t(intrinsic.element)));
  }

  void write_scan(const llvm::CallInst& call, const Intrinsic& intrinsic) {
    write_combination(call, intrinsic);
    llvm::Value* kind =
        builder_.CreateSelect(builder_.CreateIsNotNull(call.getArgOperand(2)),
                              builder_.getInt32(uint32_t(SuspendKind::kScanInclusive)),
                              builder_.getInt32(uint32_t(SuspendKind::kScanExclusive)));
    store(offsetof(ThreadState, suspended_at), kind);
  }

  void write_operands(const llvm::CallInst& call, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      store(offsetof(ThreadState, operands) + i * sizeof(uint64_t), to_bits(call.getArgOperand(i)));
    }
  }

  void write_kind(SuspendKind kind) {
    store(offsetof(ThreadState, suspended_at), builder_.getInt32(uint32_t(kind)));
  }

  void read_results(llvm::CallInst& call, const Intrinsic& intrinsic) {
    if (intrinsic.kind == IntrinsicKind::kMatrixMultiply) {
      for (unsigned i = 0; i < 2; ++i) {
        llvm::Value* element = load_result(i, builder_.getFloatTy());
        builder_.CreateStore(element, builder_.CreateConstInBoundsGEP1_64(
                                          builder_.getFloatTy(), call.getArgOperand(6), i));
      }
    } else if (!call.getType()->isVoidTy()) {
      call.replaceAllUsesWith(load_result(0, call.getType()));
    }
  }

  llvm::Value* to_bits(llvm::Value* value) {
    if (value->getType()->isFloatTy()) {
      value = builder_.CreateBitCast(value, builder_.getInt32Ty());
    }
    return builder_.CreateZExt(value, builder_.getInt64Ty());
  }

  // Results are bit patterns in the low bytes; the host is little-endian.
  llvm::Value* load_result(unsigned index, llvm::Type* type) {
    return builder_.CreateLoad(
        type, state_address(offsetof(ThreadState, results) + index * sizeof(uint64_t)));
  }

  void store(size_t offset, llvm::Value* value) {
    builder_.CreateStore(value, state_address(offset));
  }

  llvm::Value* state_address(size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), state_, offset);
  }

  llvm::Function& function_;
  llvm::Value* state_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock* end_ = nullptr;
  llvm::BasicBlock* destroyed_ = nullptr;
};

}  // namespace

Result<void> form_coroutine(KernelBuild& build) {
  CoroutineBuilder(*build.entry).lower(list_suspend_points(*build.entry));
  return {};
}

}  // namespace assay::codegen
