// See lower_checks.h.
#include "codegen/checks/lower_checks.h"

#include "codegen/intrinsics.h"
#include "codegen/runtime_call.h"
#include "kernel/cpu_abi.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::codegen {
namespace {

std::vector<llvm::Value*> access_arguments(llvm::IRBuilder<>& builder, const CheckContext& context,
                                           llvm::Value* site, const CheckedAddress& address,
                                           llvm::Value* values, llvm::Value* object) {
  llvm::Value* none = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value* zero = builder.getInt64(0);
  return {context.group,
          site,
          context.mask,
          context.first_thread,
          address.first ? address.first : zero,
          address.stride ? address.stride : zero,
          address.each ? address.each : none,
          values ? values : none,
          object};
}

}  // namespace

llvm::Value* emit_check_access(llvm::IRBuilder<>& builder, const CheckContext& context,
                               llvm::Value* site, const CheckedAddress& address,
                               llvm::Value* values, llvm::Value* object) {
  return emit_runtime_call(builder, "assay_check_access", builder.getInt32Ty(),
                           access_arguments(builder, context, site, address, values, object));
}

void emit_fine_access(llvm::IRBuilder<>& builder, const CheckContext& context, llvm::Value* site,
                      const CheckedAddress& address, llvm::Value* values, llvm::Value* object) {
  emit_runtime_call(builder, "assay_check_fine_access", builder.getVoidTy(),
                    access_arguments(builder, context, site, address, values, object));
}

llvm::Value* emit_check_sweep(llvm::IRBuilder<>& builder, const CheckContext& context,
                              llvm::Value* site, const CheckedSweep& sweep, llvm::Value* object) {
  std::vector<llvm::Value*> arguments = {context.group,        site,         context.mask,
                                         context.first_thread, sweep.first,  sweep.second,
                                         sweep.last,           sweep.rounds, object};
  return emit_runtime_call(builder, "assay_check_sweep", builder.getInt1Ty(), arguments);
}

llvm::Value* emit_check_sweep(llvm::IRBuilder<>& builder, const CheckContext& context,
                              llvm::Value* site, const CheckedLineSweep& sweep,
                              llvm::Value* object) {
  std::vector<llvm::Value*> arguments = {context.group,
                                         site,
                                         context.mask,
                                         context.first_thread,
                                         sweep.first,
                                         sweep.second,
                                         sweep.last,
                                         sweep.rounds,
                                         builder.getInt64(static_cast<uint64_t>(sweep.stride)),
                                         object};
  return emit_runtime_call(builder, "assay_check_line_sweep", builder.getInt1Ty(), arguments);
}

void emit_check_condition(llvm::IRBuilder<>& builder, const CheckContext& context,
                          llvm::Value* site, llvm::Value* values) {
  std::vector<llvm::Value*> arguments = {context.group, site, context.mask, context.first_thread,
                                         values};
  emit_runtime_call(builder, "assay_check_condition", builder.getVoidTy(), arguments);
}

CheckedFloat checked_float(const llvm::CallInst& call,
                           llvm::function_ref<llvm::Value*(llvm::Value*)> value_of) {
  CheckedFloat checked;
  unsigned argument = 0;
  for (const llvm::Type* real : checked_floats(call)) {
    const FloatWords number{value_of(call.getArgOperand(++argument)), real};
    if (argument == 1) {
      checked.result = number;
    } else {
      checked.operands.push_back(number);
    }
  }
  return checked;
}

void emit_check_barrier(llvm::IRBuilder<>& builder, const CheckContext& context,
                        llvm::Value* site) {
  std::vector<llvm::Value*> arguments = {context.group, site, context.mask, context.first_thread};
  emit_runtime_call(builder, "assay_check_barrier", builder.getVoidTy(), arguments);
}

namespace {

llvm::Value* to_word(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* word = builder.getInt64Ty();
  return value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, word) : value;
}

llvm::Value* lower_sweep(llvm::IRBuilder<>& builder, llvm::CallInst& call,
                         const CheckContext& context) {
  auto word = [&](unsigned operand) { return to_word(builder, call.getArgOperand(operand)); };
  CheckedLineSweep sweep{.first = word(1), .second = word(2), .last = word(3), .rounds = word(4)};
  return emit_check_sweep(builder, context, call.getArgOperand(0), sweep, word(5));
}

void lower_condition(llvm::IRBuilder<>& builder, llvm::CallInst& call, const CheckContext& context,
                     llvm::Value* first, llvm::Value* second) {
  llvm::AllocaInst* values = allocate_words(builder, 2 * kernel::kSimdgroupWidth);
  builder.CreateStore(builder.CreateZExt(first, builder.getInt64Ty()), values);
  builder.CreateStore(
      builder.CreateZExt(second, builder.getInt64Ty()),
      builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), values, kernel::kSimdgroupWidth));
  emit_check_condition(builder, context, call.getArgOperand(0), values);
}

void lower_float(llvm::IRBuilder<>& builder, llvm::CallInst& call, const CheckContext& context) {
  const CheckedFloat checked = checked_float(call, [](llvm::Value* word) { return word; });
  llvm::Value* is_suspect = is_word_not_finite(builder, checked.result.words, *checked.result.real);
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_suspect, &call, /*Unreachable=*/false));
  lower_condition(builder, call, context, emit_float_classes(builder, checked),
                  builder.getInt64(0));
}

// A thread alone is lane 0 of a simdgroup without others.
void lower(llvm::CallInst& call, const CheckContext& context) {
  const IntrinsicKind kind = find_intrinsic(call)->kind;
  llvm::IRBuilder<> builder(&call);
  llvm::Value* site = call.getArgOperand(0);
  if (kind == IntrinsicKind::kCheckBarrier) {
    emit_check_barrier(builder, context, site);
  } else if (kind == IntrinsicKind::kCheckSweep) {
    call.replaceAllUsesWith(lower_sweep(builder, call, context));
  } else if (kind == IntrinsicKind::kCheckAccess) {
    llvm::AllocaInst* value = allocate_words(builder, 1);
    builder.CreateStore(call.getArgOperand(2), value);
    CheckedAddress address{.first = to_word(builder, call.getArgOperand(1))};
    llvm::Value* object = to_word(builder, call.getArgOperand(3));
    llvm::Value* lanes = emit_check_access(builder, context, site, address, value, object);
    call.replaceAllUsesWith(builder.CreateIsNotNull(lanes));
  } else if (kind == IntrinsicKind::kCheckFloat) {
    lower_float(builder, call, context);
  } else {
    builder.SetInsertPoint(
        llvm::SplitBlockAndInsertIfThen(call.getArgOperand(1), &call, /*Unreachable=*/false));
    lower_condition(builder, call, context, call.getArgOperand(2), call.getArgOperand(3));
  }
  call.eraseFromParent();
}

}  // namespace

void lower_thread_checks(llvm::Function& function, llvm::Value* group, llvm::Value* thread_index) {
  llvm::Value* alone = llvm::ConstantInt::get(llvm::Type::getInt32Ty(function.getContext()), 1);
  for (llvm::CallInst* call : list_intrinsic_calls(function, is_check)) {
    lower(*call, {group, alone, thread_index});
  }
}

}  // namespace assay::codegen
