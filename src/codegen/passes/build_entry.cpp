// Entry functions of both execution forms.
#include "codegen/passes/build_entry.h"

#include <cstddef>

#include "codegen/checks/lower_checks.h"
#include "codegen/intrinsics.h"
#include "codegen/passes/debug_info.h"
#include "codegen/passes/kernel_call.h"
#include "codegen/passes/lower_prints.h"
#include "codegen/passes/thread_values.h"
#include "kernel/cpu_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {

using kernel::ExecutionForm;
using kernel::ThreadState;

namespace {

llvm::Function* create_entry(KernelBuild& build, llvm::Type* result, size_t parameters) {
  llvm::Type* pointer = llvm::PointerType::get(build.module.getContext(), 0);
  std::vector<llvm::Type*> types(parameters, pointer);
  build.entry = create_function(*build.kernel, llvm::FunctionType::get(result, types, false),
                                llvm::GlobalValue::ExternalLinkage, kEntrySymbol);
  return build.entry;
}

// Loops over z, y and x around the kernel. They test at the end: a group has at least one thread.
Result<void> build_plain(KernelBuild& build) {
  llvm::LLVMContext& context = build.module.getContext();
  llvm::Function* entry = create_entry(build, llvm::Type::getVoidTy(context), 1);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "group", entry));
  ThreadValues values(builder, entry->getArg(0));
  const Vector3& threads = values.threads_per_threadgroup();

  Vector3 position;
  llvm::BasicBlock* bodies[3];
  constexpr const char* kNames[] = {"x", "y", "z"};
  for (int axis : {2, 1, 0}) {
    llvm::BasicBlock* before = builder.GetInsertBlock();
    bodies[axis] = llvm::BasicBlock::Create(context, kNames[axis], entry);
    builder.CreateBr(bodies[axis]);
    builder.SetInsertPoint(bodies[axis]);
    llvm::PHINode* counter = builder.CreatePHI(builder.getInt32Ty(), 2, kNames[axis]);
    counter->addIncoming(builder.getInt32(0), before);
    position[axis] = counter;
  }
  llvm::Value* plane = builder.CreateNUWMul(position[2], threads[1]);
  llvm::Value* row = builder.CreateNUWMul(builder.CreateNUWAdd(plane, position[1]), threads[0]);
  llvm::Value* index = builder.CreateNUWAdd(row, position[0]);
  values.set_position(position, index);
  ThreadFacts facts = emit_thread_facts(values);
  if (build.options.debug) describe_thread(build, builder, values);
  Result<llvm::CallInst*> call = emit_kernel_call(build, builder, values);
  if (!call) return call.error();
  for (int axis : {0, 1, 2}) {
    llvm::Value* next = builder.CreateNUWAdd(position[axis], builder.getInt32(1));
    llvm::cast<llvm::PHINode>(position[axis])->addIncoming(next, builder.GetInsertBlock());
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "after", entry);
    builder.CreateCondBr(builder.CreateICmpULT(next, threads[axis]), bodies[axis], after);
    builder.SetInsertPoint(after);
  }
  builder.CreateRetVoid();
  Result<void> inlined = inline_kernel(build, *call, facts);
  if (inlined) lower_prints(*entry, entry->getArg(0), index);
  if (inlined && build.options.checked) lower_thread_checks(*entry, entry->getArg(0), index);
  return inlined;
}

// The code of one thread, with position and index from ThreadState (second parameter). The third,
// the frame, is form-coroutine's.
Result<void> build_resumable(KernelBuild& build) {
  llvm::LLVMContext& context = build.module.getContext();
  llvm::Function* entry = create_entry(build, llvm::Type::getInt64Ty(context), 3);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "thread", entry));
  ThreadValues values(builder, entry->getArg(0));
  auto load = [&](size_t offset) -> llvm::Value* {
    llvm::Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry->getArg(1), offset);
    return builder.CreateLoad(builder.getInt32Ty(), address);
  };
  Vector3 position;
  for (size_t i = 0; i < 3; ++i) {
    position[i] = load(offsetof(ThreadState, position_in_threadgroup) + i * sizeof(uint32_t));
  }
  llvm::Value* index = load(offsetof(ThreadState, index_in_threadgroup));
  values.set_position(position, index);
  ThreadFacts facts = emit_thread_facts(values);
  if (build.options.debug) describe_thread(build, builder, values);
  Result<llvm::CallInst*> call = emit_kernel_call(build, builder, values);
  if (!call) return call.error();
  builder.CreateRet(builder.getInt64(0));
  Result<void> inlined = inline_kernel(build, *call, facts);
  if (inlined) lower_prints(*entry, entry->getArg(0), index);
  if (inlined && build.options.checked) lower_thread_checks(*entry, entry->getArg(0), index);
  return inlined;
}

// Drops loop rounds when nothing else suspends.
ExecutionForm decide_form(llvm::Function& kernel) {
  std::vector<llvm::Instruction*> rounds;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (!intrinsic || !suspends(intrinsic->kind)) continue;
    if (intrinsic->kind != IntrinsicKind::kLoopRound) return ExecutionForm::kResumable;
    rounds.push_back(&instruction);
  }
  for (llvm::Instruction* round : rounds) round->eraseFromParent();
  return ExecutionForm::kPlain;
}

}  // namespace

Result<void> build_entry(KernelBuild& build) {
  if (build.kernel->getName() == kEntrySymbol) build.kernel->setName("kernel");
  build.form = decide_form(*build.kernel);
  return build.form == ExecutionForm::kPlain ? build_plain(build) : build_resumable(build);
}

}  // namespace assay::codegen
