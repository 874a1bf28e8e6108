// Arguments by their table, and the code that takes the kernel's place.
#include "codegen/passes/kernel_call.h"

#include "codegen/intrinsics.h"
#include "codegen/load_module.h"
#include "codegen/passes/build_entry.h"
#include "codegen/passes/specialise_constants.h"
#include "fmt/format.h"
#include "kernel/cpu_abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {

using kernel::Argument;
using kernel::ArgumentKind;

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

}  // namespace

Result<llvm::CallInst*> emit_kernel_call(KernelBuild& build, llvm::IRBuilder<>& builder,
                                         ThreadValues& values) {
  return CallBuilder(build, builder, values).emit();
}

llvm::Function* create_function(llvm::Function& like, llvm::FunctionType* type,
                                llvm::GlobalValue::LinkageTypes linkage, const char* name) {
  llvm::Function* function = llvm::Function::Create(type, linkage, name, *like.getParent());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  // Attributes such as denormal handling: InlineFunction refuses to mix them.
  for (llvm::Attribute attribute : like.getAttributes().getFnAttrs()) {
    if (attribute.isStringAttribute()) function->addFnAttr(attribute);
  }
  return function;
}

ThreadFacts emit_thread_facts(ThreadValues& values) {
  using kernel::ThreadAttribute;
  return {.lane = values.lane(),
          .simdgroup = values.attribute(ThreadAttribute::kSimdgroupIndexInThreadgroup)[0],
          .arena = values.threadgroup_memory()};
}

Result<void> inline_kernel(KernelBuild& build, llvm::CallInst* call, const ThreadFacts& facts) {
  llvm::Function* caller = call->getFunction();
  llvm::InlineFunctionInfo info;
  llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
  if (!inlined.isSuccess()) return build.internal_error(inlined.getFailureReason());
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*caller))) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (!intrinsic) continue;
    if (intrinsic->kind == IntrinsicKind::kLane && &instruction != facts.lane) {
      instruction.replaceAllUsesWith(facts.lane);
    } else if (intrinsic->kind == IntrinsicKind::kSimdgroup) {
      instruction.replaceAllUsesWith(facts.simdgroup);
    } else if (intrinsic->kind == IntrinsicKind::kThreadgroupArena) {
      instruction.replaceAllUsesWith(facts.arena);
    } else {
      continue;
    }
    instruction.eraseFromParent();
  }
  build.kernel->eraseFromParent();
  build.kernel = nullptr;
  return {};
}

}  // namespace assay::codegen
