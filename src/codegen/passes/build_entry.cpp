// Entry functions of both execution forms.
#include "codegen/passes/build_entry.h"

#include <cstddef>

#include "codegen/intrinsics.h"
#include "codegen/load_module.h"
#include "codegen/passes/specialise_constants.h"
#include "codegen/passes/thread_values.h"
#include "fmt/format.h"
#include "kernel/cpu_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {

using kernel::Argument;
using kernel::ArgumentKind;
using kernel::ExecutionForm;
using kernel::ThreadState;

namespace {

// The value of the bool that decides whether an optional argument exists: a function constant, or a
// program-scope constant computed from some. A constant without a value means "absent".
Result<bool> is_present(const KernelBuild& build, const std::string& name) {
  for (const kernel::FunctionConstant& constant : build.constants) {
    if (constant.name != name) continue;
    const ConstantValue* value = find_value(build, constant);
    return value && !value->bytes.empty() && value->bytes[0] != 0;
  }
  const llvm::GlobalVariable* variable = find_constant(build.module, name);
  if (variable && variable->hasInitializer()) return !variable->getInitializer()->isNullValue();
  return build.error(fmt::format(
      "an optional argument depends on '{}', which is no function constant of the library", name));
}

// Code for the arguments of one thread's call.
class CallBuilder {
 public:
  CallBuilder(KernelBuild& build, llvm::IRBuilder<>& builder, ThreadValues& values)
      : build_(build), builder_(builder), values_(values) {}

  Result<llvm::CallInst*> emit() {
    llvm::Function& kernel = *build_.kernel;
    if (kernel.arg_size() != build_.info.arguments.size()) {
      return build_.internal_error(fmt::format("the function has {} parameters, its table {}",
                                               kernel.arg_size(), build_.info.arguments.size()));
    }
    std::vector<llvm::Value*> values;
    for (size_t i = 0; i < build_.info.arguments.size(); ++i) {
      Result<llvm::Value*> value = argument(build_.info.arguments[i], *kernel.getArg(i));
      if (!value) return value.error();
      if ((*value)->getType() != kernel.getArg(i)->getType()) {
        return build_.internal_error(
            fmt::format("argument '{}' has another type in the IR", build_.info.arguments[i].name));
      }
      values.push_back(*value);
      // Each thread gets storage of its own below, so the callee needs no copy.
      kernel.removeParamAttr(i, llvm::Attribute::ByVal);
    }
    return builder_.CreateCall(&kernel, values);
  }

 private:
  Result<llvm::Value*> argument(Argument& argument, const llvm::Argument& parameter) {
    if (argument.kind == ArgumentKind::kThreadAttribute) return attribute(argument, parameter);
    bool is_buffer = argument.kind == ArgumentKind::kBuffer;
    uint32_t slots = is_buffer ? kernel::kMaxBufferSlots : kernel::kMaxThreadgroupSlots;
    if (argument.slot >= slots) {
      return build_.error(fmt::format("argument '{}' uses {} slot {}; the last one is {}",
                                      argument.name, is_buffer ? "buffer" : "threadgroup",
                                      argument.slot, slots - 1));
    }
    if (argument.present_if) {
      Result<bool> present = is_present(build_, *argument.present_if);
      if (!present) return present.error();
      if (!*present) {
        return static_cast<llvm::Value*>(llvm::ConstantPointerNull::get(builder_.getPtrTy()));
      }
      argument.present_if.reset();
    }
    return is_buffer ? values_.buffer(argument.slot) : values_.threadgroup_argument(argument.slot);
  }

  llvm::Value* attribute(const Argument& argument, const llvm::Argument& parameter) {
    Vector3 value = values_.attribute(argument.attribute);
    llvm::Type* component = builder_.getIntNTy(argument.component_bytes * 8);
    if (argument.components == 1) return builder_.CreateTrunc(value[0], component);
    llvm::Value* storage = allocate_vector(argument, parameter);
    for (uint32_t i = 0; i < argument.components; ++i) {
      llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(
          builder_.getInt8Ty(), storage, uint64_t{i} * argument.component_bytes);
      builder_.CreateStore(builder_.CreateTrunc(value[i], component), address);
    }
    return storage;
  }

  // Vectors of three occupy four components.
  llvm::Value* allocate_vector(const Argument& argument, const llvm::Argument& parameter) {
    uint64_t bytes =
        uint64_t{argument.component_bytes} * (argument.components == 3 ? 4 : argument.components);
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> entry_builder(&entry, entry.begin());
    llvm::AllocaInst* storage = entry_builder.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), bytes), nullptr, argument.name);
    storage->setAlignment(std::max(llvm::Align(bytes), parameter.getParamAlign().valueOrOne()));
    return storage;
  }

  KernelBuild& build_;
  llvm::IRBuilder<>& builder_;
  ThreadValues& values_;
};

llvm::Function* create_entry(KernelBuild& build, llvm::Type* result, size_t parameters) {
  llvm::Type* pointer = llvm::PointerType::get(build.module.getContext(), 0);
  std::vector<llvm::Type*> types(parameters, pointer);
  auto* entry =
      llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                             llvm::GlobalValue::ExternalLinkage, kEntrySymbol, build.module);
  entry->addFnAttr(llvm::Attribute::NoUnwind);
  // Attributes such as denormal handling are the kernel's; InlineFunction refuses to mix them.
  for (llvm::Attribute attribute : build.kernel->getAttributes().getFnAttrs()) {
    if (attribute.isStringAttribute()) entry->addFnAttr(attribute);
  }
  build.entry = entry;
  return entry;
}

// Makes the kernel part of the entry and resolves what only the entry knows.
Result<void> inline_kernel(KernelBuild& build, llvm::CallInst* call, llvm::Value* lane,
                           llvm::Value* arena) {
  llvm::InlineFunctionInfo info;
  llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
  if (!inlined.isSuccess()) return build.internal_error(inlined.getFailureReason());
  for (llvm::Instruction& instruction :
       llvm::make_early_inc_range(llvm::instructions(*build.entry))) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (!intrinsic) continue;
    if (intrinsic->kind == IntrinsicKind::kLane) {
      instruction.replaceAllUsesWith(lane);
    } else if (intrinsic->kind == IntrinsicKind::kThreadgroupArena) {
      instruction.replaceAllUsesWith(arena);
    } else {
      continue;
    }
    instruction.eraseFromParent();
  }
  build.kernel->eraseFromParent();
  build.kernel = nullptr;
  return {};
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
  llvm::Value* lane = values.lane();
  Result<llvm::CallInst*> call = CallBuilder(build, builder, values).emit();
  if (!call) return call.error();
  for (int axis : {0, 1, 2}) {
    llvm::Value* next = builder.CreateNUWAdd(position[axis], builder.getInt32(1));
    llvm::cast<llvm::PHINode>(position[axis])->addIncoming(next, builder.GetInsertBlock());
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "after", entry);
    builder.CreateCondBr(builder.CreateICmpULT(next, threads[axis]), bodies[axis], after);
    builder.SetInsertPoint(after);
  }
  builder.CreateRetVoid();
  return inline_kernel(build, *call, lane, values.threadgroup_memory());
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
  values.set_position(position, load(offsetof(ThreadState, index_in_threadgroup)));
  llvm::Value* lane = values.lane();
  Result<llvm::CallInst*> call = CallBuilder(build, builder, values).emit();
  if (!call) return call.error();
  builder.CreateRet(builder.getInt64(0));
  return inline_kernel(build, *call, lane, values.threadgroup_memory());
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
